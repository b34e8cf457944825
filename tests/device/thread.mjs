// A worker of Node's as the page sees workers: a module that listens to messages.

import { parentPort, workerData } from 'node:worker_threads';

globalThis.postMessage = (message) => parentPort.postMessage(message);
globalThis.addEventListener = (_, listener) => parentPort.on('message', (data) => listener({ data }));
await import(workerData);
