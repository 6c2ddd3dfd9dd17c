// Verbs over folders that the host knows, and over the names of its credentials.
import { Refusal } from './refusal.mjs';

export function accountVerbs({ ctx }) {
  const seam = (name, what) => {
    const service = ctx.get(name);
    if (!service) throw new Refusal('HOST_CANNOT', `This host has no ${what}`);
    return service;
  };
  const view = ({ id, path, title, sessionIds }) => ({ id, path, title: title ?? path, sessionIds: [...sessionIds] });

  return {
    workspaces: () => seam('workspaceRegistry', 'workspaces').list().map(view),
    registerWorkspace: async ({ path, title }) => {
      const registry = seam('workspaceRegistry', 'workspaces');
      const known = await registry.resolveByPath(path).catch(() => {
        throw new Refusal('WORKSPACE_NOT_FOUND', 'The folder is not there');
      });
      return view(known ?? (await registry.create(path, title)));
    },
    /** Asks only whether a credential is there; its value is never read. */
    credentials: async ({ names }) => {
      const credentials = seam('credentials', 'credentials');
      const states = names.map(async (name) => {
        const { configured, source } = await credentials.describe(name);
        return { name, configured, source: source ?? null };
      });
      return Promise.all(states);
    },
  };
}
