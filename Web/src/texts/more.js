// Import it where texts are used that texts-en.js does not have: it adds them.

import { more } from "./more-en.js";
import { addEnglish } from "./texts.js";

addEnglish(more);
