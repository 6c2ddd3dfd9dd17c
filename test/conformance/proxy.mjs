// The suite cannot send a token. This stands in front of the server, adds only the Authorization header, and changes nothing else.
import { createServer, request } from 'node:http';

/** Listens on a free port of localhost. `forwardTo` names the server behind it, whose PUBLIC_URL is the proxy's own. */
export async function startProxy() {
  let target;
  let authorization;
  const server = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, authorization };
    const onward = request({ ...target, method: incoming.method, path: incoming.url, headers, setHost: false }, (answer) => {
      outgoing.writeHead(answer.statusCode, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    outgoing.on('close', () => onward.destroy());
    incoming.pipe(onward);
  });
  await new Promise((resolve) => server.listen(0, 'localhost', resolve));
  return {
    url: `http://localhost:${server.address().port}`,
    forwardTo(url, token) {
      const { hostname, port } = new URL(url);
      target = { hostname, port };
      authorization = `Bearer ${token}`;
    },
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
