import { CompiledQuery, type Compilable } from 'kysely';

/** SQL text that is built once for each shape: receipts pass here with every run, and building costs more than running. */
export class Statements {
  readonly #texts = new Map<string, string>();

  /** `build` names the same columns in the same order as `parameters`; its own values do not count. */
  query<Row>(shape: string, build: () => Compilable<Row>, parameters: readonly unknown[]): CompiledQuery<Row> {
    let text = this.#texts.get(shape);
    if (text === undefined) this.#texts.set(shape, (text = build().compile().sql));
    return CompiledQuery.raw(text, [...parameters]); // the text is of this very query
  }
}
