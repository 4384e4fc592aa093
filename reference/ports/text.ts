/** Whether bytes are text. */
export { isUtf8 } from './node/text.ts';
