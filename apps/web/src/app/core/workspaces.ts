import { DestroyRef, Service, computed, inject, signal } from '@angular/core';
import type { Workspace, WorkspaceId } from '#contracts';
import { Api } from './api.js';
import { EventStream } from './event-stream.js';

/** Owner of the registered folders as every page names them. */
@Service()
export class Workspaces {
  readonly #api = inject(Api);
  readonly #known = signal<ReadonlyMap<WorkspaceId, Workspace> | undefined>(undefined);

  readonly isLoaded = computed(() => this.#known() !== undefined);
  readonly all = computed<readonly Workspace[]>(() => [...(this.#known()?.values() ?? [])].sort((a, b) => a.name.localeCompare(b.name)));

  constructor() {
    const following = inject(EventStream).heard.subscribe((event) => {
      if (event.type === 'resync') void this.load();
      else if (event.type === 'workspace.changed') this.#known.update((known) => new Map(known).set(event.workspace.id, event.workspace));
      else if (event.type === 'workspace.removed')
        this.#known.update((known) => new Map([...(known ?? [])].filter(([id]) => id !== event.workspaceId)));
    });
    inject(DestroyRef).onDestroy(() => {
      following.unsubscribe();
    });
  }

  async load(): Promise<void> {
    const answer = await this.#api.get<readonly Workspace[] | { readonly items: readonly Workspace[] }>('workspaces');
    const items = 'items' in answer ? answer.items : answer;
    this.#known.set(new Map(items.map((workspace) => [workspace.id, workspace])));
  }

  find(id: WorkspaceId | null): Workspace | undefined {
    return id === null ? undefined : this.#known()?.get(id);
  }

  nameOf(id: WorkspaceId | null): string {
    return this.find(id)?.name ?? '';
  }
}
