/** Real time: what happens a while later, whatever any clock of ours says. Only time.ts uses it. */
export { later, nextTurn, repeatedly, type Wait } from './node/timers.ts';
