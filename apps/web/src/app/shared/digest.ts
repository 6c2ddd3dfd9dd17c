import { Component, computed, input } from '@angular/core';

/** A digest as people compare it: two groups of four, or the whole in groups of eight. */
@Component({
  selector: 'cs-digest',
  template: `<code [title]="value()">{{ text() }}</code>`,
  styles: `
    code {
      overflow-wrap: anywhere;
    }
  `,
})
export class Digest {
  readonly value = input.required<string>();
  readonly whole = input(false);
  protected readonly text = computed(() => (this.whole() ? groups(this.value(), 8) : shortDigest(this.value())));
}

export function shortDigest(value: string): string {
  return groups(value.slice(0, 8), 4);
}

function groups(value: string, size: number): string {
  return value.match(new RegExp(`.{1,${String(size)}}`, 'g'))?.join(' ') ?? '';
}
