import { Component, DestroyRef, ElementRef, afterNextRender, effect, inject, input, output, untracked } from '@angular/core';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { HighlightStyle, bracketMatching, indentOnInput, indentUnit, syntaxHighlighting } from '@codemirror/language';
import { lintGutter, setDiagnostics } from '@codemirror/lint';
import type { Diagnostic } from '@codemirror/lint';
import { EditorState } from '@codemirror/state';
import {
  EditorView,
  drawSelection,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import { tags } from '@lezer/highlight';
import type { PolicyIssue } from '#contracts';
import { familyOf } from '../../core/text/hidden.js';

/** A finding that stands at its place in the text. */
export interface Marked extends PolicyIssue {
  readonly severity: 'error' | 'warning';
}

const COLOURS = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--ink)' },
  { tag: [tags.string, tags.content], color: 'var(--text)' },
  { tag: [tags.comment, tags.lineComment], color: 'var(--text-3)', fontStyle: 'italic' },
  { tag: [tags.keyword, tags.bool, tags.number, tags.null], color: 'var(--live-fg)' },
  { tag: [tags.separator, tags.punctuation, tags.squareBracket, tags.brace], color: 'var(--text-2)' },
]);

const LOOK = EditorView.theme({
  '&': { height: '100%', backgroundColor: 'var(--raised)', color: 'var(--text)', fontSize: '13px' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '20px', fontVariantLigatures: 'none' },
  '.cm-content': { padding: '8px 0', caretColor: 'var(--ink)' },
  '.cm-gutters': { backgroundColor: 'var(--surface)', color: 'var(--text-3)', borderRight: '1px solid var(--line-soft)' },
  '.cm-lineNumbers .cm-gutterElement': { padding: '0 8px 0 10px', minWidth: '34px' },
  '.cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--ink-soft) 45%, transparent)' },
  '.cm-activeLineGutter': { backgroundColor: 'var(--ink-soft)', color: 'var(--text)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--ink-soft)',
  },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-specialChar': {
    background: 'var(--blocked-bg)',
    color: 'var(--blocked-fg)',
    borderRadius: '2px',
    padding: '0 3px',
    fontWeight: '600',
  },
  '.cm-tooltip': { background: 'var(--raised)', color: 'var(--text)', border: '1px solid var(--line)', maxWidth: '60ch' },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--danger-fg)' },
  '.cm-diagnostic-warning': { borderLeftColor: 'var(--caution-fg)' },
});

/** Everything that would not show, or would move other letters, is drawn as a box with its code. */
const SPECIAL = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}/gu;

function boxFor(code: number): HTMLElement {
  const box = document.createElement('span');
  const name = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  box.textContent = name;
  box.className = 'cm-specialChar';
  box.setAttribute('aria-label', name);
  return box;
}

/** The text of a policy with line numbers, colours and its problems at their lines. Tab leaves it, as in any field. */
@Component({
  selector: 'cs-yaml-editor',
  template: '',
  styles: `
    :host {
      display: block;
      border: 1px solid var(--edge);
      border-radius: var(--r-2);
      overflow: hidden;
      min-width: 0;
      unicode-bidi: plaintext;
    }
    :host:focus-within {
      outline: 2px solid var(--focus);
      outline-offset: 1px;
    }
  `,
})
export class YamlEditor {
  readonly #element = inject<ElementRef<HTMLElement>>(ElementRef);
  readonly text = input.required<string>();
  readonly label = input.required<string>();
  readonly marked = input<readonly Marked[]>([]);
  readonly changed = output<string>();
  #view: EditorView | undefined;

  constructor() {
    afterNextRender(() => {
      this.#view = this.#make();
      this.#mark(this.marked());
    });
    effect(() => {
      const text = this.text();
      untracked(() => {
        this.#show(text);
      });
    });
    effect(() => {
      this.#mark(this.marked());
    });
    inject(DestroyRef).onDestroy(() => this.#view?.destroy());
  }

  /** Puts the cursor at a line and shows it. */
  goTo(line: number): void {
    const view = this.#view;
    if (view === undefined) return;
    const { from } = view.state.doc.line(Math.max(1, Math.min(line, view.state.doc.lines)));
    view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: 'center' }) });
    view.focus();
  }

  #make(): EditorView {
    const state = EditorState.create({
      doc: this.text(),
      extensions: [
        lineNumbers(),
        lintGutter(),
        history(),
        drawSelection(),
        indentOnInput(),
        indentUnit.of('  '),
        bracketMatching(),
        highlightActiveLine(),
        highlightActiveLineGutter(),
        highlightSpecialChars({ render: (code) => boxFor(code), specialChars: SPECIAL }),
        yaml(),
        syntaxHighlighting(COLOURS),
        LOOK,
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ 'aria-label': this.label(), tabindex: '0', spellcheck: 'false', autocapitalize: 'off' }),
        keymap.of([...defaultKeymap, ...historyKeymap]),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) this.changed.emit(update.state.doc.toString());
        }),
      ],
    });
    return new EditorView({ state, parent: this.#element.nativeElement });
  }

  /** Another text from outside replaces what stands here; what was typed here comes back unchanged and does nothing. */
  #show(text: string): void {
    const view = this.#view;
    if (view === undefined || view.state.doc.toString() === text) return;
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
  }

  #mark(marked: readonly Marked[]): void {
    const view = this.#view;
    if (view === undefined) return;
    view.dispatch(
      setDiagnostics(
        view.state,
        marked.map((one) => diagnosticOf(view.state, one)),
      ),
    );
  }
}

function diagnosticOf({ doc }: EditorState, { line, column, message, severity }: Marked): Diagnostic {
  const at = doc.line(Math.max(1, Math.min(line, doc.lines)));
  const from = Math.min(at.to, at.from + Math.max(0, column - 1));
  const shown = [...message].map((one) => (familyOf(one) === undefined || one === '\n' ? one : '\uFFFD')).join('');
  return { from, to: Math.max(from, at.to), severity, message: shown };
}
