// Measures the console in Chromium against its budgets: first inbox paint with a slowed processor, long lists, and memory over many events.
// Needs the built console; runs on the fake server of the browser tests, so that only the page is measured.
import { launch } from '../web/support/browser.mjs';
import { startFake } from '../web/support/fake-server.mjs';
import { id } from '../web/support/sample-data.mjs';

/** As many open asks as the server gives at once. */
const ASKS = 500;
const RECEIPTS = 100_000;
const EVENTS = Number(process.env.BENCH_EVENTS ?? 20_000);
const BATCH = 500;
let isOver = false;

function report(name, value, target, isMet) {
  isOver ||= !isMet;
  console.log(`${isMet ? 'ok   ' : 'OVER '} ${name.padEnd(58)} ${value.padEnd(34)} ${target}`);
}

const browser = await launch();
const open = async () => (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();

/** From the navigation to the first row, with nothing cached and a processor four times slower. */
async function firstPaint() {
  const fake = await startFake();
  const times = [];
  for (let round = 0; round < 5; round += 1) {
    const page = await open();
    const session = await page.context().newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
    await page.goto(`${fake.url}/inbox`);
    await page.locator('cs-ask-row').first().waitFor();
    times.push(await page.evaluate(() => performance.now()));
    await page.context().close();
  }
  const median = times.sort((a, b) => a - b)[2];
  report('first inbox row, cold, processor 4× slower', `${median.toFixed(0)} ms`, 'target ≤ 1200 ms', median <= 1_200);
  await fake.close();
}

/** Frames in two seconds of scrolling without pause. */
async function scroll(page, selector) {
  return page
    .locator(selector)
    .first()
    .evaluate(async (view) => {
      let frames = 0;
      const from = performance.now();
      while (performance.now() - from < 2_000) {
        view.scrollTop += 240;
        if (view.scrollTop + view.clientHeight >= view.scrollHeight - 10) view.scrollTop = 0;
        await new Promise((resolve) => globalThis.requestAnimationFrame(resolve));
        frames += 1;
      }
      return (frames * 1_000) / (performance.now() - from);
    });
}

async function longLists() {
  const fake = await startFake();
  const [ask] = fake.data.asks.slice(1);
  for (let more = fake.data.asks.length; more < ASKS; more += 1) fake.data.asks.push({ ...ask, id: id() });
  const page = await open();
  await page.goto(`${fake.url}/inbox`);
  await page.locator('cs-ask-row').first().waitFor();
  const asks = await scroll(page, 'cs-inbox-page .list');
  report(`${ASKS} asks scroll`, `${asks.toFixed(0)} frames a second`, 'target ≥ 50', asks >= 50);
  const [receipt] = fake.data.summaries;
  fake.data.summaries = Array.from({ length: RECEIPTS }, (_, index) => ({ ...receipt, id: `r${index}`, index: RECEIPTS - index }));
  await page.goto(`${fake.url}/receipts`);
  await page.locator('cs-receipt-row').first().waitFor();
  const receipts = await scroll(page, 'cdk-virtual-scroll-viewport');
  report(`${RECEIPTS} receipts scroll`, `${receipts.toFixed(0)} frames a second`, 'target ≥ 50', receipts >= 50);
  await page.context().close();
  await fake.close();
}

/** Live heap after garbage was collected. */
async function heapMib(session) {
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return usedSize / 2 ** 20;
}

/** Asks open and close, runs move, receipts are written: what a busy hour brings, in a minute. */
async function soak() {
  const fake = await startFake();
  const page = await open();
  await page.goto(`${fake.url}/inbox`);
  await page.locator('cs-ask-row').first().waitFor();
  const session = await page.context().newCDPSession(page);
  const send = async (count) => {
    for (let sent = 0; sent < count; sent += 1) {
      const ask = { ...fake.data.asks[1], id: id() };
      if (sent % 3 === 0) fake.emit({ type: 'ask.opened', ask });
      if (sent % 3 === 0) fake.emit({ type: 'ask.closed', askId: ask.id, status: 'denied', by: 'second approver' });
      fake.emit({ type: 'receipt.written', receipt: { ...fake.data.summaries[0], id: id() } });
      if (sent % BATCH === 0) {
        fake.forget();
        await new Promise((resolve) => setTimeout(resolve, 30));
      }
    }
    await page.waitForTimeout(1_500);
  };
  await send(EVENTS / 2); // what is kept on purpose fills first
  const before = await heapMib(session);
  await send(EVENTS / 2);
  const after = await heapMib(session);
  const text = `${before.toFixed(1)} → ${after.toFixed(1)} MiB`;
  report(`heap over the second half of ${EVENTS} steps`, text, 'target: growth ≤ 2 MiB', after - before <= 2);
  await page.context().close();
  await fake.close();
}

try {
  await firstPaint();
  await longLists();
  await soak();
} finally {
  await browser.close();
}
process.exitCode = isOver ? 1 : 0;
