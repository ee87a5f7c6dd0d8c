/** What must hold whatever one does: readable by everybody, nothing lost when the connection is, nothing run from text. */
import AxeBuilder from "@axe-core/playwright";
import { afterEach, describe, expect, it } from "vitest";
import { begin, type Journey, node, openSample, run, say } from "./headrace.ts";

let journey: Journey;
afterEach(async () => {
  await journey.close();
});

async function faults(): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page: journey.page }).analyze();
  return violations.flatMap((fault) =>
    fault.nodes.map((at) => `${fault.id}: ${at.target.join(" ")} — ${at.failureSummary ?? ""}`),
  );
}

describe("every main screen is free of what axe finds", () => {
  for (const scheme of ["light", "dark"] as const)
    it(`in ${scheme}`, async () => {
      journey = await begin({ scheme });
      const { page } = journey;
      await page.getByRole("heading", { name: /Tables in/ }).waitFor();
      expect(await faults()).toEqual([]);
      await openSample(page);
      await run(page);
      await page.locator("section[aria-label=Rows] tbody tr").first().waitFor();
      expect(await faults()).toEqual([]);
      await node(page, "by_category").click();
      await page.getByText("Add measure").waitFor();
      expect(await faults()).toEqual([]);
      await page.locator(".react-flow__pane").click({ position: { x: 200, y: 300 } });
      await say(page, "keep the top 3");
      await page.getByRole("button", { name: "Apply" }).waitFor();
      expect(await faults()).toEqual([]);
      await page.keyboard.press("Control+k");
      await page.getByRole("dialog").waitFor();
      expect(await faults()).toEqual([]);
    });
});

describe("a connection that breaks", () => {
  it("loses nothing: what happened meanwhile is there when it is back", async () => {
    journey = await begin();
    const { page, context, address } = journey;
    await openSample(page);
    const flowId = page.url().split("/").at(-1);
    await context.setOffline(true);
    // Another window of the same person goes on working.
    const edit = await fetch(`${address}api/flows/${flowId}/operations`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Headrace": "1" },
      body: JSON.stringify({ operations: [{ op: "set_title", node_id: "orders", title: "All orders" }], message: "" }),
    });
    expect(edit.status).toBe(202);
    await context.setOffline(false);
    await node(page, "orders").getByText("All orders").waitFor();
  });

  it("says so, and says when it is over", async () => {
    journey = await begin();
    const { page, context } = journey;
    await openSample(page);
    await context.setOffline(true);
    await page.evaluate(() => window.dispatchEvent(new Event("offline")));
    await page.getByText("Headrace does not answer").waitFor();
    await context.setOffline(false);
    await page.getByText("Headrace does not answer").waitFor({ state: "detached" });
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
    journey = await begin();
    const { page, address, troubles } = journey;
    await openSample(page);
    const flowId = page.url().split("/").at(-1);
    const operations = [
      { op: "set_name", name: VECTORS[0] },
      { op: "set_title", node_id: "orders", title: VECTORS[1] },
      { op: "set_title", node_id: "only_paid", title: VECTORS[3] },
    ];
    await fetch(`${address}api/flows/${flowId}/operations`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Headrace": "1" },
      body: JSON.stringify({ operations, message: VECTORS[0] }),
    });
    await node(page, "orders").getByText("<script>alert(2)</script>").waitFor();
    await say(page, VECTORS.join(" "));
    await page.getByRole("log").getByText("<script>alert(2)</script>").first().waitFor();
    await page.getByRole("button", { name: "Stop the assistant" }).waitFor({ state: "detached" });
    await run(page);
    expect(troubles).toEqual([]);
  });
});
