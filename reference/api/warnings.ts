import type { WarningSink } from './request.ts';

/** The warnings of one request, in order; the same text counts once. */
export class Warnings implements WarningSink {
  readonly #texts = new Set<string>();

  add(text: string): void {
    this.#texts.add(text);
  }
  list(): readonly string[] {
    return [...this.#texts];
  }
}
