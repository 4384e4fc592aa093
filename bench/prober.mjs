// Asks a server for its health every few milliseconds and tells the longest that an answer took: how long one request
// holds up all others. A thread of its own, so that what the load program does is not counted.
import { Agent, get } from 'node:https';
import { parentPort, workerData } from 'node:worker_threads';

const agent = new Agent({ keepAlive: true, maxSockets: 1, rejectUnauthorized: false });
let longest = 0;
/** Whether the figure is asked for: it is told behind the answer to a request that was sent after the question. */
let asked = false;

function ask() {
  const began = performance.now();
  const last = asked;
  get(`${workerData.base}/livez`, { agent }, (answer) => {
    answer.resume();
    answer.once('end', () => {
      longest = Math.max(longest, performance.now() - began);
      if (last) {
        parentPort.postMessage(longest);
        longest = 0;
        asked = false;
      }
      setTimeout(ask, 2);
    });
  }).once('error', (error) => {
    throw error;
  });
}
ask();
parentPort.on('message', () => {
  asked = true;
});
