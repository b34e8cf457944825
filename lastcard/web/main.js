// Where the page begins.

import { again } from './lib/router.js';
import { dress } from './lib/settings.js';

dress();
again();
