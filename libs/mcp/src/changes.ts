import { Injectable } from '@nestjs/common';
import { InMemoryServerEventBus, type ServerEvent } from '@modelcontextprotocol/server';

/** Owner of the news that clients can follow: a resource has changed, or a list has. Nothing is kept. */
@Injectable()
export class McpChanges {
  readonly bus = new InMemoryServerEventBus();

  resourceUpdated(uri: string): void {
    this.bus.publish({ kind: 'resource_updated', uri });
  }

  /** Tells that a list has changed. */
  listChanged(list: 'tools' | 'prompts' | 'resources'): void {
    this.bus.publish({ kind: `${list}_list_changed` });
  }

  follow(listener: (event: ServerEvent) => void): () => void {
    return this.bus.subscribe(listener);
  }
}
