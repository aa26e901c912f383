/** The last step before a note is shown: only these elements and attributes are let through, whatever came before. */

import DOMPurify from "dompurify";
import { ID } from "./env.ts";

const TAGS =
  "a b blockquote br code del details em h1 h2 h3 h4 h5 h6 hr img li mark ol p pre s section small span strong sub summary sup table tbody td th thead tr ul";
const ATTRIBUTES =
  "alt aria-label class data-below data-embed data-image data-section data-to dir href id open rel role src start target title width";
const ADDRESSES = /^(?:https?:|mailto:|obsidian:|#|data:image\/(?:png|jpeg|gif|webp|avif);base64,)/i;

/** Attributes that are no addresses, so that anything may stand in them. */
const NO_ADDRESSES =
  "aria-label data-below data-embed data-image data-section data-to dir open rel start target width";

/** What it gives is a TrustedHTML, which elements take where a string would be refused; it is typed as what they are declared to take. */
export type Safe = { sanitize(html: string): string };

export const openSafe = (): Safe => {
  const purify = DOMPurify(window);
  purify.addHook("uponSanitizeAttribute", (_, data) => {
    if (data.attrName === "id" && !data.attrValue.startsWith(ID)) data.keepAttr = false;
    if (data.attrName === "target" && data.attrValue !== "_blank") data.keepAttr = false;
    if (data.attrName === "dir" && data.attrValue !== "auto") data.keepAttr = false;
    if (data.attrName === "width" && !/^\d{1,4}$/.test(data.attrValue)) data.keepAttr = false;
  });
  return {
    sanitize: (html) =>
      purify.sanitize(html, {
        ALLOWED_TAGS: TAGS.split(" "),
        ALLOWED_ATTR: ATTRIBUTES.split(" "),
        ALLOWED_URI_REGEXP: ADDRESSES,
        ADD_URI_SAFE_ATTR: NO_ADDRESSES.split(" "),
        ALLOW_DATA_ATTR: false,
        ALLOW_ARIA_ATTR: false,
        RETURN_TRUSTED_TYPE: true,
      }) as unknown as string,
  };
};
