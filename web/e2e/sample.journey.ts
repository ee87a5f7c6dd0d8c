/** From the first page to an answer: the sample, a request, its review, a run, and everything taken back. */
import { describe, expect, it } from "vitest";
import { node, openSample, ownHouse, revenue, rows, run, say } from "./headrace.ts";

const house = ownHouse();

const cents = (table: string[][]) =>
  table.map(([category, amount, count]) => [category, Number(Number(amount).toFixed(2)), count]);

describe("a request, reviewed and run", () => {
  it("shows what would change, applies it, gives the right numbers, and takes it back", async () => {
    const { page } = await house.visit();
    await openSample(page);
    await run(page);
    expect(cents(await rows(page))).toEqual(cents(revenue()));

    await say(page, "only paid by card, and keep the top 3");
    await page.getByRole("button", { name: "Apply" }).waitFor();
    expect(await page.locator('.node-card[data-ghost="added"]').count()).toBe(2);
    expect(await page.locator(".react-flow__edge.ghost-added").count()).toBeGreaterThan(2);
    await page.getByText("How I read your request").click();
    await page.getByRole("definition").getByText("only rows where paid with is card").first().waitFor();
    expect(cents(await rows(page))).toEqual(cents(revenue()));

    await page.getByRole("button", { name: "Apply" }).click();
    await page.getByText("Applied as revision 1").waitFor();
    expect(await page.locator(".node-card[data-ghost]").count()).toBe(0);
    expect(await page.locator(".node-card").count()).toBe(7);
    await page.getByText("outdated").first().waitFor();

    await run(page);
    await page.getByText("3 rows × 3 columns").waitFor();
    const right = revenue((order) => order.paid_with === "card").slice(0, 3);
    expect(cents(await rows(page))).toEqual(cents(right));

    await page.getByRole("tab", { name: "Chart" }).click();
    const chart = page.getByRole("img", { name: /^Chart/ });
    await chart.waitFor();
    expect(
      await chart.evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth)),
    ).toBeGreaterThan(100);

    await page.getByRole("button", { name: "Undo" }).first().click();
    await page.waitForFunction(() => document.querySelectorAll(".node-card").length === 5);
    await page.getByRole("button", { name: "Redo" }).click();
    await page.waitForFunction(() => document.querySelectorAll(".node-card").length === 7);

    await page.reload();
    await node(page, "orders").waitFor();
    expect(await page.locator(".node-card").count()).toBe(7);
    await page.getByText("only paid by card, and keep the top 3").waitFor();
    await page.getByText("Applied as revision 1").waitFor();
    await page.getByRole("tab", { name: "Table" }).click();
    expect(cents(await rows(page))).toEqual(cents(right));
  });

  it("can be tried before it is applied, and dismissed", async () => {
    const { page } = await house.visit();
    await openSample(page);
    await run(page);
    await say(page, "only paid by card");
    await page.getByRole("button", { name: "Try it", exact: true }).click();
    await page.getByText("Tried").waitFor();
    await node(page, "by_category").getByText("6 rows × 3").waitFor();
    expect(await page.getByText(/was 442/).count()).toBeGreaterThan(0);
    await page.getByRole("button", { name: "Dismiss" }).click();
    await page.getByText("Dismissed").waitFor();
    expect(await page.locator(".node-card").count()).toBe(5);
    expect(cents(await rows(page))).toEqual(cents(revenue()));
  });

  it("can be edited before it is applied, and only what was approved lands", async () => {
    const { page } = await house.visit();
    await openSample(page);
    await say(page, "only paid by card, and keep the top 3");
    await page.getByRole("button", { name: "Edit First 3 in this change" }).click();
    await page.getByText("Part of the change under review").waitFor();
    await page.getByRole("spinbutton", { name: "Count", exact: true }).fill("2");
    await node(page, "first_3").getByText("first 2").waitFor();
    await page.getByRole("button", { name: "Review", exact: true }).click();
    for (const filter of await page.getByRole("checkbox", { name: /· Filter/ }).all()) await filter.uncheck();
    await page.getByRole("button", { name: /^Apply \d+ of \d+$/ }).click();
    await page.getByText(/^Applied \d+ of \d+ as revision 1$/).waitFor();
    expect(await page.locator(".node-card").count()).toBe(6);
    await page.getByRole("log").getByRole("button", { name: "Run it" }).click();
    await page.getByText("2 rows × 3 columns").waitFor();
    expect(cents(await rows(page))).toEqual(cents(revenue().slice(0, 2)));
  });

  it("stays in its chat, which can be left and found again", async () => {
    const { page } = await house.visit();
    await openSample(page);
    await say(page, "keep the top 3");
    await page.getByRole("button", { name: "Apply" }).waitFor();
    await page.getByRole("button", { name: "New chat" }).click();
    await page.getByText("From an earlier chat, and still waiting for you:").waitFor();
    await say(page, "only paid by card");
    await page.getByText("From an earlier chat").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Earlier chats" }).click();
    await page.getByRole("menuitem", { name: /keep the top 3/ }).click();
    await page.getByRole("log").getByText("keep the top 3").waitFor();
    expect(await page.getByRole("log").getByText("only paid by card").count()).toBe(0);
  });

  it("that names a column which is not there ends in a question that names those that are", async () => {
    const { page } = await house.visit();
    await openSample(page);
    await say(page, "only orders with a discount above 10");
    const chat = page.getByRole("log");
    await chat.getByText(/cannot place “discount”/).waitFor();
    await chat.locator("code", { hasText: "unit_price" }).waitFor();
    expect(await page.getByRole("button", { name: "Apply" }).count()).toBe(0);
    expect(await page.locator(".node-card").count()).toBe(5);

    await say(page, "only orders with a unit price above 10");
    await page.getByRole("button", { name: "Apply" }).waitFor();
  });
});
