/** Which texts are shown and edited as plain text: rendering or colouring them would take seconds. */

const BODY_LIMIT = 1024 * 1024;
const PARAGRAPH_LIMIT = 64 * 1024;

export const isPlain = (text: string): boolean =>
  text.length > BODY_LIMIT || text.split(/\n\s*\n/).some((paragraph) => paragraph.length > PARAGRAPH_LIMIT);
