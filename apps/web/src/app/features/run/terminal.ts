import {
  Component,
  DestroyRef,
  type ElementRef,
  afterNextRender,
  computed,
  effect,
  inject,
  input,
  output,
  signal,
  untracked,
  viewChild,
} from '@angular/core';
import { FitAddon } from '@xterm/addon-fit';
import { SearchAddon } from '@xterm/addon-search';
import { Terminal } from '@xterm/xterm';
import type { ITheme } from '@xterm/xterm';
import type { OutputChunk } from '#contracts';
import { Words } from '../../core/say.js';
import { Settings } from '../../core/settings.js';
import { TerminalText } from '../../core/text/terminal-text.js';
import { NO_LINES, extendLines } from './output-lines.js';
import type { LineMap } from './output-lines.js';

const SCROLLBACK = 20_000;
const WIDEST = 1_000;
const REFUSED_OSC = [0, 1, 2, 4, 7, 8, 9, 10, 11, 12, 50, 52, 104, 133, 777, 1337] as const;

interface GutterLine {
  readonly text: string;
  readonly isError: boolean;
}

/** Shows program output in a terminal that takes no input, opens no link and obeys no sequence but colour. */
@Component({
  selector: 'cs-terminal',
  template: `
    <div class="gutter" aria-hidden="true" [style.line-height.px]="rowHeight()" [style.padding-top.px]="12">
      @for (line of gutter(); track $index) {
        <span [class.err]="line.isError">{{ line.text }}</span>
      }
    </div>
    <div class="scroll" [class.wide]="!wrap()"><div #host class="host"></div></div>
  `,
  styleUrl: './terminal.css',
})
export class OutputTerminal {
  readonly #settings = inject(Settings);
  private readonly hostRef = viewChild.required<ElementRef<HTMLElement>>('host');
  readonly chunks = input.required<readonly OutputChunk[]>();
  readonly wrap = input(true);
  /** How many control sequences were taken out of what is shown. */
  readonly removed = output<number>();
  readonly lines = output<number>();
  readonly followed = output<boolean>();

  readonly #words = inject(Words);
  readonly #fit = new FitAddon();
  readonly #search = new SearchAddon();
  readonly #terminal = new Terminal({
    disableStdin: true,
    convertEol: true,
    cursorBlink: false,
    cursorStyle: 'block',
    cursorInactiveStyle: 'block',
    scrollback: SCROLLBACK,
    screenReaderMode: true,
    allowProposedApi: true,
    minimumContrastRatio: 4.5,
    fontFamily: '"JetBrains Mono Variable", "JetBrains Mono", "Noto Sans Mono CJK SC", ui-monospace, monospace',
    fontSize: 12.5,
    lineHeight: 1.15,
    linkHandler: { activate: () => undefined },
  });
  readonly #drawn = signal(0);
  readonly #isOpen = signal(false);
  #shown = 0;
  #first: OutputChunk | undefined;
  #text = new TerminalText();
  #lines: LineMap = NO_LINES;
  #last: OutputChunk['stream'] | undefined;
  #isFollowing = true;
  #stopWatching: () => void = () => undefined;

  protected readonly rowHeight = signal(19);
  protected readonly gutter = computed<readonly GutterLine[]>(() => {
    this.#drawn();
    return this.#gutterLines();
  });

  constructor() {
    afterNextRender(() => {
      this.#open();
    });
    effect(() => {
      const chunks = this.chunks();
      if (this.#isOpen())
        untracked(() => {
          this.#write(chunks);
        });
    });
    effect(() => {
      this.wrap();
      if (this.#isOpen())
        untracked(() => {
          this.#resize();
        });
    });
    effect(() => {
      this.#settings.values();
      if (this.#isOpen()) this.#terminal.options.theme = themeOf(this.hostRef().nativeElement);
    });
    inject(DestroyRef).onDestroy(() => {
      this.#stopWatching();
      this.#terminal.dispose();
    });
  }

  /** Finds the next or previous place of a text; true when there is one. */
  find(text: string, isBackward: boolean): boolean {
    const options = {
      caseSensitive: false,
      decorations: {
        matchOverviewRuler: '#888888',
        activeMatchColorOverviewRuler: '#888888',
        matchBorder: '#8a5600',
        activeMatchBorder: '#1c5fd4',
      },
    };
    return isBackward ? this.#search.findPrevious(text, options) : this.#search.findNext(text, options);
  }

  clearSearch(): void {
    this.#search.clearDecorations();
  }

  toEnd(): void {
    this.#terminal.scrollToBottom();
  }

  focus(): void {
    this.#terminal.focus();
  }

  #open(): void {
    const host = this.hostRef().nativeElement;
    for (const code of REFUSED_OSC) this.#terminal.parser.registerOscHandler(code, () => true);
    this.#terminal.loadAddon(this.#fit);
    this.#terminal.loadAddon(this.#search);
    this.#terminal.options.theme = themeOf(host);
    this.#terminal.open(host);
    this.#label(host);
    const redraw = (): void => {
      this.#drawn.update((count) => count + 1);
      const buffer = this.#terminal.buffer.active;
      const isAtEnd = buffer.viewportY >= buffer.baseY;
      if (isAtEnd !== this.#isFollowing) {
        this.#isFollowing = isAtEnd;
        this.followed.emit(isAtEnd);
      }
    };
    this.#terminal.onRender(redraw);
    this.#terminal.onScroll(redraw);
    const observer = new ResizeObserver(() => {
      this.#resize();
    });
    observer.observe(host.parentElement ?? host);
    const media = matchMedia('(prefers-color-scheme: dark)');
    const repaint = (): void => {
      this.#terminal.options.theme = themeOf(host);
    };
    media.addEventListener('change', repaint);
    this.#terminal.element?.addEventListener('focusin', redraw);
    this.#isOpen.set(true);
    void document.fonts.ready.then(() => {
      this.#resize();
    });
    this.#terminal.attachCustomKeyEventHandler(() => false);
    this.#stopWatching = () => {
      observer.disconnect();
      media.removeEventListener('change', repaint);
    };
  }

  /** Readers may read the output line by line; nothing is announced by itself. */
  #label(host: HTMLElement): void {
    host.querySelector('.live-region')?.setAttribute('aria-live', 'off');
    host.querySelector('textarea')?.setAttribute('aria-label', this.#words.say('output_of_run'));
    host.querySelector('textarea')?.setAttribute('readonly', '');
  }

  #write(chunks: readonly OutputChunk[]): void {
    if (chunks[0] !== this.#first || chunks.length < this.#shown) this.#reset();
    this.#first = chunks[0];
    for (const chunk of chunks.slice(this.#shown)) {
      const shown = this.#text.push(chunk.text);
      // A colour that one stream left on must not run into the other.
      const reset = this.#last !== undefined && this.#last !== chunk.stream ? '\u001B[0m' : '';
      this.#last = chunk.stream;
      this.#lines = extendLines(this.#lines, chunk.stream, shown);
      this.#terminal.write(reset + shown);
    }
    this.#shown = chunks.length;
    if (!this.wrap())
      this.#terminal.write('', () => {
        this.#resize();
      });
    this.removed.emit(this.#text.removed);
    this.lines.emit(this.#lines.count - (chunks.at(-1)?.text.endsWith('\n') === true || chunks.length === 0 ? 1 : 0));
  }

  #reset(): void {
    this.#terminal.reset();
    this.#text = new TerminalText();
    this.#lines = NO_LINES;
    this.#last = undefined;
    this.#shown = 0;
  }

  #resize(): void {
    const size = this.#fit.proposeDimensions();
    if (size === undefined || Number.isNaN(size.cols) || Number.isNaN(size.rows)) return;
    const cols = this.wrap() ? size.cols : Math.max(size.cols, this.#longest());
    this.#terminal.resize(Math.max(20, cols), Math.max(4, size.rows));
    const height = this.#terminal.element?.querySelector('.xterm-rows > div')?.getBoundingClientRect().height;
    if (height !== undefined && height > 0) this.rowHeight.set(height);
    this.#drawn.update((count) => count + 1);
  }

  /** The longest line that is kept, so that it needs no wrapping. */
  #longest(): number {
    let longest = 0;
    for (const chunk of this.chunks()) for (const line of chunk.text.split('\n')) longest = Math.max(longest, line.length);
    return Math.min(WIDEST, longest + 1);
  }

  /** Numbers of the visible lines: counted from the cursor's line upward, since old lines leave at the top. */
  #gutterLines(): readonly GutterLine[] {
    const buffer = this.#terminal.buffer.active;
    const cursorRow = buffer.baseY + buffer.cursorY;
    let number = this.#lines.count;
    const numbers = new Map<number, number>();
    for (let row = cursorRow; row >= buffer.viewportY; row -= 1) {
      const isWrapped = buffer.getLine(row)?.isWrapped === true;
      if (!isWrapped) {
        numbers.set(row, number);
        number -= 1;
      }
    }
    return Array.from({ length: this.#terminal.rows }, (_, index) => {
      const line = numbers.get(buffer.viewportY + index);
      if (line === undefined || (line === this.#lines.count && buffer.cursorX === 0 && line > 1)) return { text: '', isError: false };
      const isError = this.#lines.stderr.has(line);
      return { text: isError ? `E ${String(line)}` : String(line), isError };
    });
  }
}

/** The terminal's colours, read from the page's tokens. */
function themeOf(element: HTMLElement): ITheme {
  const style = getComputedStyle(element);
  const of = (name: string): string => style.getPropertyValue(`--term-${name}`).trim();
  const colours = {
    red: of('red'),
    green: of('green'),
    yellow: of('yellow'),
    blue: of('blue'),
    magenta: of('magenta'),
    cyan: of('cyan'),
    black: of('fg'),
    white: of('dim'),
  };
  return {
    ...colours,
    background: of('bg'),
    foreground: of('fg'),
    cursor: of('fg'),
    selectionBackground: style.getPropertyValue('--ink-soft').trim(),
    selectionForeground: of('fg'),
    brightBlack: of('dim'),
    brightRed: colours.red,
    brightGreen: colours.green,
    brightYellow: colours.yellow,
    brightBlue: colours.blue,
    brightMagenta: colours.magenta,
    brightCyan: colours.cyan,
    brightWhite: of('fg'),
  };
}
