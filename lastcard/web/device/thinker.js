// Where a thinker begins.

self.onmessage = ({ data }) => self.postMessage({ answer: data.ask, best: null });
