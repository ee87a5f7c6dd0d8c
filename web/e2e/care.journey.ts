/** What must hold whatever one does: readable by everybody, nothing lost when the connection is, nothing run from text. */
import AxeBuilder from "@axe-core/playwright";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { editElsewhere, node, openSample, ownHouse, run, say } from "./headrace.ts";

const house = ownHouse();

async function faults(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations.flatMap((fault) =>
    fault.nodes.map((at) => `${fault.id}: ${at.target.join(" ")} — ${at.failureSummary ?? ""}`),
  );
}

describe("every main screen is free of what axe finds", () => {
  for (const scheme of ["light", "dark"] as const)
    it(`in ${scheme}`, async () => {
      const { page } = await house.visit({ scheme });
      await page.getByRole("heading", { level: 1 }).waitFor();
      expect(await faults(page)).toEqual([]);
      await openSample(page);
      await run(page);
      await page.locator("section[aria-label=Rows] tbody tr").first().waitFor();
      expect(await faults(page)).toEqual([]);
      await node(page, "by_category").click();
      await page.getByText("Add measure").waitFor();
      expect(await faults(page)).toEqual([]);
      await page.locator(".react-flow__pane").click({ position: { x: 200, y: 300 } });
      await say(page, "keep the top 3");
      await page.getByRole("button", { name: "Apply" }).waitFor();
      expect(await faults(page)).toEqual([]);
      await page.keyboard.press("Control+k");
      await page.getByRole("dialog").waitFor();
      expect(await faults(page)).toEqual([]);
    });
});

describe("a server that goes away", () => {
  it("is missed, and found again with nothing lost", async () => {
    const journey = await house.visit();
    const { page } = journey;
    await openSample(page);
    await node(page, "only_paid").click();
    const start = await house.stop();
    await page.getByText("Headrace does not answer").first().waitFor();
    await page.getByRole("textbox", { name: "Title of the node" }).fill("Paid");
    await page.getByRole("textbox", { name: "Title of the node" }).press("Enter");
    await page.getByRole("alert").getByText("Headrace does not answer").waitFor();

    await start();
    await page.getByText("This page reconnects by itself; what").waitFor({ state: "detached" });
    // Another window of the same person works on the same flow.
    expect(await editElsewhere(journey, [{ op: "set_title", node_id: "orders", title: "All orders" }])).toBe(202);
    await node(page, "orders").getByText("All orders").waitFor();
    expect(await page.locator(".node-card").count()).toBe(5);
  });
});

const VECTORS = [
  "<img src=x onerror=alert(1)>",
  "<script>alert(2)</script>",
  "[go](javascript:alert(3))",
  '"><svg onload=alert(4)>',
  "![x](https://example.invalid/leak.png)",
];

describe("text that would like to be more than text", () => {
  it("is shown as it is, in titles, names and requests", async () => {
    const journey = await house.visit();
    const { page } = journey;
    await openSample(page);
    const named = await editElsewhere(journey, [
      { op: "set_name", name: VECTORS[0] },
      { op: "set_title", node_id: "orders", title: VECTORS[1] },
      { op: "set_title", node_id: "only_paid", title: VECTORS[3] },
    ]);
    expect(named).toBe(202);
    await node(page, "orders").getByText("<script>alert(2)</script>").waitFor();
    await say(page, VECTORS.join(" "));
    await page.getByRole("log").getByText("<script>alert(2)</script>").first().waitFor();
    await page.getByRole("button", { name: "Stop the assistant" }).waitFor({ state: "detached" });
    await run(page);
  });
});
