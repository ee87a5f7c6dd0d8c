/** Building by hand: the palette, the forms, faults with their ways out, keys. */
import { describe, expect, it } from "vitest";
import { node, openSample, orders, ownHouse, rows, run } from "./headrace.ts";

const house = ownHouse();

describe("a flow made by hand", () => {
  it("grows from a file by typing, and runs", async () => {
    const { page } = await house.visit();
    await openSample(page);
    await page.getByRole("button", { name: "All flows" }).click();
    await page.getByRole("button", { name: "New flow" }).click();
    await page.getByText("Where does the data come from?").waitFor();

    await page.keyboard.press("/");
    await page.keyboard.type("orders");
    await page.getByText("Read orders.csv").click();
    await node(page, "read_file").getByText("9 columns").waitFor();

    await page.keyboard.press("/");
    await page.getByText("After Read file").waitFor();
    await page.keyboard.type("filt");
    await page.keyboard.press("Enter");
    await node(page, "filter").waitFor();
    await page.getByRole("textbox", { name: "Condition" }).fill("quantity >= 5");
    await node(page, "filter").getByText("quantity >= 5").waitFor();
    expect(await page.locator(".react-flow__edge").count()).toBe(1);

    await run(page);
    const right = orders().filter((order) => Number(order.quantity) >= 5).length;
    await page.getByText(new RegExp(`^${right} rows × 9 columns$`)).waitFor();
    expect((await rows(page))[0]).toHaveLength(9);
  });

  it("says at the field what is wrong, and mends it by a button", async () => {
    const { page } = await house.visit();
    await openSample(page);
    await node(page, "only_paid").click();
    await page.getByRole("textbox", { name: "Condition" }).fill("statsu = 'paid'");
    await page
      .getByText(/no column 'statsu'/)
      .first()
      .waitFor();
    await page.getByRole("button", { name: "1 problem", exact: true }).waitFor();
    expect(await page.getByRole("textbox", { name: "Condition" }).getAttribute("aria-invalid")).toBe("true");
    await page
      .getByRole("button", { name: /Use column .status/ })
      .first()
      .click();
    await page.getByText("No problems").first().waitFor();
    expect(await page.getByRole("textbox", { name: "Condition" }).inputValue()).toContain("status");
  });

  it("is walked, changed and mended with the keyboard alone", async () => {
    const { page } = await house.visit();
    await openSample(page);
    await node(page, "orders").focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    await page.getByRole("textbox", { name: "Title of the node" }).waitFor();
    await node(page, "by_category").focus();
    await page.keyboard.press("Control+d");
    await node(page, "by_category_2").waitFor();
    await page.keyboard.press("Delete");
    await page.waitForFunction(() => document.querySelectorAll(".node-card").length === 5);
    await page.keyboard.press("Control+z");
    await node(page, "by_category_2").waitFor();
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Help and keyboard" }).waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+k");
    await page.keyboard.type("dark");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.documentElement.dataset.theme === "dark");
  });

  it("keeps where a node was put, and an edge that was drawn", async () => {
    const { page } = await house.visit();
    await openSample(page);
    const card = node(page, "revenue_chart");
    const before = await card.boundingBox();
    if (!before) throw new Error("the chart's card is not drawn");
    await page.mouse.move(before.x + 80, before.y + 20);
    await page.mouse.down();
    await page.mouse.move(before.x + 60, before.y + 130, { steps: 8 });
    await page.mouse.up();
    await page.getByRole("button", { name: "Undo" }).first().isEnabled();
    await page.reload();
    await card.waitFor();
    const after = await card.boundingBox();
    const orders = await node(page, "orders").boundingBox();
    expect((after?.y ?? 0) - (orders?.y ?? 0)).toBeGreaterThan(60);

    const out = await node(page, "only_paid").locator(".react-flow__handle.source").boundingBox();
    if (!out) throw new Error("the port is not drawn");
    await page.mouse.move(out.x + 5, out.y + 5);
    await page.mouse.down();
    await page.mouse.move(out.x + 60, out.y + 160, { steps: 8 });
    await page.mouse.up();
    await page.getByPlaceholder("What comes next?").waitFor();
    await page.keyboard.type("limit");
    await page.keyboard.press("Enter");
    await node(page, "limit").waitFor();
    await page.waitForFunction(() => document.querySelectorAll(".react-flow__edge").length === 5);
  });
});
