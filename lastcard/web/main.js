// The entry point.

import { again } from './lib/router.js';
import { dress } from './lib/settings.js';

dress();
again();
