/** Values that go with a call through everything that it waits for. */
export { CallContext, seeingFromHere } from './node/context.ts';
