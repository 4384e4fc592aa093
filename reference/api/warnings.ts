import type { WarningSink } from './request.ts';

/** The warnings of one request, in order; the same text counts once. */
export class Warnings implements WarningSink {
  #texts: string[] = [];

  add(text: string): void {
    if (!this.#texts.includes(text)) this.#texts.push(text);
  }
  list(): readonly string[] {
    return this.#texts;
  }
}
