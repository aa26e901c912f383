/** The Worker as it is deployed, in workerd: its front, signing in, and what a client does with its notes. */

import "./front.ts";
import "./oauth.ts";
import "./notes.ts";
