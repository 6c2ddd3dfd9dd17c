import type { McpServer } from '@modelcontextprotocol/server';
import type { McpChanges } from './changes.js';

/** Passes news on to one connection. `followed` limits resource news; without it the SDK's own subscriptions do. Ends with the returned function. */
export function followChanges(changes: McpChanges, { server }: McpServer, followed: ReadonlySet<string> | undefined): () => void {
  const send = (method: 'tools' | 'prompts' | 'resources'): Promise<void> =>
    server.notification({ method: `notifications/${method}/list_changed` });
  return changes.follow((event) => {
    const sent = (() => {
      switch (event.kind) {
        case 'resource_updated':
          if (followed?.has(event.uri) === false) return undefined;
          return server.sendResourceUpdated({ uri: event.uri });
        case 'tools_list_changed':
          return send('tools');
        case 'prompts_list_changed':
          return send('prompts');
        case 'resources_list_changed':
          return send('resources');
      }
    })();
    sent?.catch(() => undefined); // a connection that has ended hears no news
  });
}
