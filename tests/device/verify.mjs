// Verifies matches, each as it was told, then with one thing changed at a time.
// usage: node verify.mjs PACKAGE < [{game, told: {file, commitment, seeds, seat, shown}, changes: [[path, value]]}]

import { answer, engineOf, from, told } from './device.mjs';

const { verify } = await from('device/verify.js');

/** A copy in which the value at a path is another; the path goes through the file's text as well. */
function changed(value, [first, ...rest], now) {
  if (first === undefined) return now;
  if (typeof value === 'string') return JSON.stringify(changed(JSON.parse(value), [first, ...rest], now));
  const copy = Array.isArray(value) ? [...value] : { ...value };
  copy[first] = changed(value[first], rest, now);
  return copy;
}

const answers = [];
for (const { game, told: all, changes } of told()) {
  const engine = await engineOf(game);
  answers.push({
    verdict: verify(engine, all),
    changed: changes.map(([path, value]) => verify(engine, changed(all, path, value)).problem),
  });
}
answer(answers);
