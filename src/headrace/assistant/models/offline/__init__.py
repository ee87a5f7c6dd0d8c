"""A model with no model behind it: it reads everyday requests about tables by grammar, and says what it cannot read."""
