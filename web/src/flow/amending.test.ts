import { describe, expect, it } from "vitest";
import vectors from "../../../vectors/amending.json";
import { type Amended, amendedWith, type Growing } from "./amending.ts";

const [STORY] = vectors as unknown as { first: Growing; events: Amended[]; views: Growing[] }[];
if (!STORY) throw new Error("there are no vectors");
const { first, events, views } = STORY;
const play = (view: Growing, told: Amended[]) =>
  told.reduce<Growing | null>((now, event) => now && amendedWith(now, event), view);

describe("a staged change that grows", () => {
  it("is at every moment what the server says it is", () => {
    let view: Growing | null = first;
    for (const [index, event] of events.entries()) {
      view = view && amendedWith(view, event);
      expect(view).toEqual(views[index]);
    }
  });

  it("is the same when what is new comes twice, or was known from a later look", () => {
    const last = views.at(-1) as Growing;
    expect(
      play(
        first,
        events.flatMap((event) => [event, event]),
      ),
    ).toEqual(last);
    expect(play(last, events)).toBe(last);
  });

  it("is not guessed where something between is missing", () => {
    expect(play(first, events.slice(1))).toBeNull();
  });
});
