import { connect, createServer } from 'node:net';

/**
 * A line to a TCP server that can be cut: whoever connects here talks to `target` until the next cut.
 *
 * @param {URL} target
 * @returns {Promise<{ url: string, cut: (ms: number) => Promise<void>, close: () => Promise<void> }>}
 */
export async function openLine(target) {
  const pairs = new Set();
  let isDown = false;
  const server = createServer((near) => {
    if (isDown) {
      near.destroy();
      return;
    }
    const far = connect(Number(target.port), target.hostname);
    const pair = [near, far];
    pairs.add(pair);
    for (const [index, socket] of pair.entries()) {
      const other = pair[1 - index];
      socket.on('data', (bytes) => other.write(bytes));
      socket.on('error', () => undefined); // a cut line is no error here
      socket.on('close', () => {
        other.destroy();
        pairs.delete(pair);
      });
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = String(server.address().port);
  const cutAll = () => pairs.forEach((pair) => pair.forEach((socket) => socket.destroy()));
  return {
    url: url.href,
    /** Everything that is on its way is lost, and nobody gets through for so long. */
    cut: async (ms) => {
      isDown = true;
      cutAll();
      await new Promise((resolve) => setTimeout(resolve, ms));
      isDown = false;
    },
    close: () => {
      cutAll();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
