// The entry point.

import { keepPage } from './lib/offline.js';
import { again } from './lib/router.js';
import { dress } from './lib/settings.js';

dress();
again().finally(keepPage); // the first screen comes first
