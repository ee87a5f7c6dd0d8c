/** A Headrace of its own for a journey: its server, its data folder, a page that notes whatever goes wrong in it. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect } from "vitest";

const ROOT = resolve(import.meta.dirname, "../..");
const COMMAND = join(ROOT, ".venv/bin/headrace");
const SWITCHES = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
const READY = /Headrace is at (\S+)/;

export interface Journey {
  address: string;
  page: Page;
  context: BrowserContext;
  /** What must not happen: errors of the page, refused resources, requests to anywhere else. */
  troubles: string[];
}

interface House {
  address: string;
  browser: Browser;
  /** Stop the server; what comes back starts it again at the same address over the same data. */
  stop: () => Promise<() => Promise<void>>;
  close: () => Promise<void>;
}

interface Visit {
  scheme?: "light" | "dark";
}

/** Give the tests of a file a house of their own; each visit must end without trouble, and is closed when its test is over. */
export function ownHouse() {
  let house: House;
  let visits: Journey[] = [];
  beforeAll(async () => {
    house = await open();
  });
  afterAll(() => house?.close());
  afterEach(async () => {
    const ended = visits;
    visits = [];
    for (const { context } of ended) await context.close();
    expect(ended.flatMap(({ troubles }) => troubles)).toEqual([]);
  });
  return {
    stop: () => house.stop(),
    /** Open the first page as somebody who has never been here. */
    visit: async (how: Visit = {}): Promise<Journey> => {
      const journey = await visit(house, how);
      visits.push(journey);
      return journey;
    },
  };
}

/** Start a server on a free port, with an empty data folder, and a browser. */
async function open(): Promise<House> {
  const folder = mkdtempSync(join(tmpdir(), "headrace-journey-"));
  const [first, browser] = await Promise.all([serve(folder, "0"), launch()]);
  const { address } = first;
  let { child } = first;
  const close = async () => {
    await browser.close();
    await end(child);
    rmSync(folder, { recursive: true, force: true });
  };
  const stop = async () => {
    await end(child);
    return async () => {
      child = (await serve(folder, new URL(address).port)).child;
    };
  };
  return { address, browser, stop, close };
}

async function visit(house: House, options: Visit): Promise<Journey> {
  const context = await house.browser.newContext({
    viewport: { width: 1280, height: 800 },
    colorScheme: options.scheme ?? "light",
    reducedMotion: "reduce",
  });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const troubles = watch(page, house.address);
  await page.goto(house.address);
  return { address: house.address, page, context, troubles };
}

function launch(): Promise<Browser> {
  const executablePath = process.env.HEADRACE_CHROMIUM;
  if (!executablePath)
    throw new Error("HEADRACE_CHROMIUM does not name a Chromium. Run the journeys with `make journey`.");
  return chromium.launch({ executablePath, args: SWITCHES });
}

function serve(folder: string, port: string): Promise<{ child: ChildProcess; address: string }> {
  const child = spawn(COMMAND, ["serve", "--port", port, "--data", folder], { stdio: ["ignore", "pipe", "pipe"] });
  let told = "";
  return new Promise((done, fail) => {
    const hear = (chunk: Buffer) => {
      told += chunk.toString();
      const address = READY.exec(told)?.[1];
      if (address) done({ child, address });
    };
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
    child.on("error", fail);
    child.on("exit", (code) => fail(new Error(`The server ended with ${code}: ${told}`)));
  });
}

function end(child: ChildProcess): Promise<void> {
  return new Promise((done) => {
    child.removeAllListeners("exit");
    child.on("exit", () => done());
    child.kill("SIGTERM");
  });
}

function watch(page: Page, address: string): string[] {
  const troubles: string[] = [];
  const own = new URL(address).origin;
  page.on("pageerror", (error) => troubles.push(`error: ${error.message}`));
  page.on("dialog", (dialog) => {
    troubles.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("console", (message) => {
    const offline = /ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_EMPTY_RESPONSE/.test(message.text());
    if (message.type() === "error" && !offline) troubles.push(`console: ${message.text()}`);
  });
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (url.origin !== own && url.protocol !== "data:") troubles.push(`request to ${url.origin}`);
  });
  return troubles;
}

export const node = (page: Page, nodeId: string) => page.locator(`.react-flow__node[data-id="${nodeId}"]`);
export const request = (page: Page) => page.getByRole("textbox", { name: "What should the flow do?" });

/** Open a fresh copy of the sample and wait until its nodes are there. */
export async function openSample(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Open the sample" }).click();
  await node(page, "orders").waitFor();
}

/** Ask the server for operations, as another window of the same person would; returns the answer's status. */
export async function editElsewhere({ page, address }: Journey, operations: object[]): Promise<number> {
  const answer = await fetch(`${address}api/flows/${page.url().split("/").at(-1)}/operations`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Headrace": "1" },
    body: JSON.stringify({ operations, message: "" }),
  });
  return answer.status;
}

/** Say something to the assistant. */
export async function say(page: Page, text: string): Promise<void> {
  await request(page).fill(text);
  await request(page).press("Enter");
}

/** Run the flow and wait until it is over. */
export async function run(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.getByText(/^Ran in/).waitFor();
}

/** Return the rows of the table in the drawer, without their numbers. */
export async function rows(page: Page): Promise<string[][]> {
  await page.locator("section[aria-label=Rows] tbody tr td").first().waitFor();
  return page
    .locator("section[aria-label=Rows] tbody tr")
    .evaluateAll((lines) =>
      lines.map((line) => [...line.querySelectorAll("td")].slice(0, -1).map((cell) => cell.textContent ?? "")),
    );
}

/** The sample's orders, read here without Headrace. */
export function orders(): Record<string, string>[] {
  const text = readFileSync(join(ROOT, "src/headrace/samples/corner_shop/orders.csv"), "utf8").trim();
  const [head = "", ...lines] = text.split(/\r?\n/);
  const names = head.split(",");
  const values = (line: string) =>
    line.match(/("[^"]*"|[^,]*)(,|$)/g)?.map((value) => value.replace(/,$/, "").replaceAll('"', "")) ?? [];
  return lines.map((line) => Object.fromEntries(values(line).map((value, at) => [names[at] ?? "", value])));
}

/** Return revenue and count of the paid orders by category, most revenue first, as the sample works them out. */
export function revenue(keep: (order: Record<string, string>) => boolean = () => true): string[][] {
  const groups = new Map<string, { revenue: number; orders: number }>();
  for (const order of orders()) {
    if (order.status !== "paid" || !order.category || !keep(order)) continue;
    const group = groups.get(order.category) ?? { revenue: 0, orders: 0 };
    const amount = Number(order.quantity) * Number(order.unit_price);
    if (order.quantity && order.unit_price) group.revenue += amount;
    group.orders += 1;
    groups.set(order.category, group);
  }
  return [...groups]
    .sort(([, a], [, b]) => b.revenue - a.revenue)
    .map(([category, group]) => [category, String(Number(group.revenue.toFixed(2))), String(group.orders)]);
}
