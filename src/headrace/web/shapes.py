"""The bodies that this door takes and the answers that are not the workspace's own views. Owns no behaviour."""

from __future__ import annotations

from base64 import b64decode
from datetime import datetime
from typing import Annotated, Any, Literal, Union, get_args

from pydantic import Field, create_model

from headrace.base.errors import BadRequest
from headrace.base.value import Value
from headrace.flow.operations import Operation
from headrace.nodes.spec import Port
from headrace.workspace.happenings import Happening

LONGEST_TEXT = 20_000
MOST_OPERATIONS = 10_000
LARGEST_PART = 12_000_000
"""Of a file on its way here, letters of Base64; a body is larger than this never."""


class Health(Value):
    """The server is there."""

    status: Literal["ok"] = "ok"
    version: str


class ModelView(Value):
    """A language model that can be chosen."""

    name: str
    title: str
    hint: str = ""
    """What it is good for."""
    ready: bool = True


class About(Value):
    """What this installation is."""

    version: str
    models: tuple[ModelView, ...]
    actor: str
    data_folder_name: str


class NodeTypeView(Value):
    """A node type, with all that a form and a palette need."""

    name: str
    version: int
    title: str
    summary: str
    area: str
    synonyms: tuple[str, ...]
    inputs: tuple[Port, ...]
    outputs: tuple[Port, ...]
    effects: tuple[str, ...]
    config_schema: dict[str, Any]
    """JSON Schema; `x-slot` and `x-port` say what a field holds."""


class Number(Value):
    """The revision that a change led to; what changed comes by the event stream."""

    number: int


class Sql(Value):
    """A node as SQL."""

    sql: str


class Started(Value):
    """A turn has begun; what it does comes by the event stream."""

    turn_id: str


class NewFlow(Value):
    """A flow to make."""

    name: str = Field(default="", max_length=300)
    sample: bool = False
    """Make the sample flow and put its data into the files folder."""
    document: dict[str, Any] | None = None
    """Open this document as a new flow; nothing of it is run."""


class Rename(Value):
    """A name to give."""

    name: str = Field(max_length=300)


class Edit(Value):
    """Operations by a person's hand, applied together or not at all."""

    operations: tuple[Operation, ...] = Field(min_length=1, max_length=MOST_OPERATIONS)
    message: str = Field(default="", max_length=1_000)


class Upload(Value):
    """A file that is about to come."""

    path: str = Field(min_length=1, max_length=1_024)
    """Where it is to lie in the data folder."""
    overwrite: bool = False
    """Replace the file that is there."""


class UploadPart(Value):
    """The next part of a file."""

    at: int = Field(ge=0)
    """How much came before it, bytes."""
    content: str = Field(max_length=LARGEST_PART)
    """Base64."""

    def decoded(self) -> bytes:
        """Return what the part holds.

        Errors: BadRequest.
        """
        try:
            return b64decode(self.content, validate=True)
        except ValueError:
            raise BadRequest("bad_part", "The part of the file is not Base64.", "Send the file again.") from None


class Amendment(Value):
    """Operations that a person puts behind those of a staged change."""

    operations: tuple[Operation, ...] = Field(min_length=1, max_length=MOST_OPERATIONS)


class Approval(Value):
    """What a person saw and agrees to."""

    digest: str
    """Of the patch on the screen."""
    only: tuple[int, ...] | None = None
    """Indexes of the operations that are to land, with all that they need; None: all."""


class Nothing(Value):
    """An empty object."""


class RunRequest(Value):
    """How to run."""

    to: str | None = None
    """Up to this node; None: everything."""
    changeset_id: str | None = None
    """Try the flow as this changeset would make it; nothing outside is changed."""
    dry_run: bool = False
    """Say what would be written instead of writing it."""


class Message(Value):
    """What a person says in a chat."""

    text: str = Field(min_length=1, max_length=LONGEST_TEXT)
    model: str = ""
    """A model's name; empty: the one that is set."""


class _Envelope(Value):
    seq: int
    """Its number; a stream that is cut goes on after it."""
    flow_id: str
    at: datetime


class StreamOpened(Value):
    """The first message of every stream: where it begins."""

    seq: int
    kind: Literal["stream.opened"]
    flow_id: str
    data: dict[str, Any]


def _event_of(happening: type[Value]) -> type[Value]:
    """An event as the stream tells it, made from what happened: its kind outside, the rest under `data`."""
    kind = happening.model_fields["kind"].annotation
    fields: dict[str, Any] = {
        name: (field.annotation, field) for name, field in happening.model_fields.items() if name != "kind"
    }
    data = create_model(f"{happening.__name__}Data", __base__=Value, __doc__=happening.__doc__, **fields)
    shape: dict[str, Any] = {"kind": (kind, ...), "data": (data, ...)}
    return create_model(f"{happening.__name__}Event", __base__=_Envelope, __doc__=happening.__doc__, **shape)


EVENTS: tuple[type[Value], ...] = tuple(_event_of(each) for each in get_args(get_args(Happening)[0]))
StreamEvent = Annotated[Union[(StreamOpened, *EVENTS)], Field(discriminator="kind")]  # ty: ignore[invalid-type-form]
