// Where the worker begins.

self.onmessage = ({ data }) => self.postMessage({ answer: data.ask, status: 404, body: { code: 'not_found', text: '' } });
