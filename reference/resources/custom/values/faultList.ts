import type { Json } from '../../../api/json.ts';
import type { Fault } from './fault.ts';

/** What checking a value brought: faults, each once, and how many checks were made, which tells close misses. */
export class FaultList {
  readonly faults: Fault[] = [];
  #checks = 0;
  #texts: Set<string> | undefined;

  get valid(): boolean {
    return this.faults.length === 0;
  }
  get checks(): number {
    return this.#checks;
  }
  count(): void {
    this.#checks++;
  }
  add(fault: Fault): void {
    this.#texts ??= new Set();
    if (this.#texts.has(fault.text)) return;
    this.#texts.add(fault.text);
    this.faults.push(fault);
  }
  /** A fault of the value under a path, in the words that follow the path. */
  value(path: string, value: Json, words: string): void {
    this.add({ kind: 'value', name: path, value, text: `${path} in body ${words}` });
  }
  /** A fault of how conditions combine, which belongs to no field. */
  logic(text: string): void {
    this.add({ kind: 'logic', name: '', text });
  }
  merge(other: FaultList): void {
    this.#checks += other.#checks;
    for (const fault of other.faults) this.add(fault);
  }
  /** The same checks without their faults. */
  forgiven(): FaultList {
    const findings = new FaultList();
    findings.#checks = this.#checks;
    return findings;
  }
}
