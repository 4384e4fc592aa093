// Loaded into a server before it starts: tells whoever started it the longest turn of its event loop, in processor time
// of its thread, so that other work on the machine counts little, and what the thread used in all. Linux only.
import { readFileSync } from 'node:fs';

const file = `/proc/self/task/${process.pid}/schedstat`;
/** Milliseconds of a processor that this thread used. */
const used = () => Number(readFileSync(file, 'latin1').split(' ', 1)[0]) / 1e6;

let before = used();
let longest = 0;
let told = before;
function look() {
  const now = used();
  longest = Math.max(longest, now - before);
  before = now;
}
setInterval(look, 1).unref();
process.on('message', () => {
  look();
  process.send({ longest, used: before - told, memory: process.memoryUsage.rss() });
  longest = 0;
  told = before;
});
process.channel.unref();
