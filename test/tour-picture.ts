/** The tour as a picture of a terminal, made from what it prints. */

const SIZE = { text: 13, line: 19, column: 7.83, margin: 20, bar: 26 };
const COLOURS = {
  ground: "#16191f",
  text: "#d7dbe2",
  strong: "#ffffff",
  call: "#56c8d8",
  dim: "#8b93a1",
  added: "#7bc96f",
};

const xml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
const span = (text: string, fill: string, more = ""): string =>
  text === "" ? "" : `<tspan fill="${fill}"${more}>${xml(text)}</tspan>`;

const drawn = (line: string): string => {
  const [, step, call] = /^(\d\. \w+ {2})(.*)$/.exec(line) ?? [];
  if (step !== undefined)
    return span(step, COLOURS.strong, ' font-weight="bold"') + span(call!, COLOURS.call);
  if (/^ {5}\+/.test(line)) return span(line, COLOURS.added);
  return span(line, /^ {6}\S|@[0-9a-f]{8}$/.test(line) ? COLOURS.dim : COLOURS.text);
};

/** Without its last part, which names places on this computer. */
export const tourPicture = (printed: string): string => {
  const [shown = ""] = printed.split("\nConnect it");
  const lines = ["$ npm start", ...shown.trimEnd().split("\n")];
  const width = Math.ceil(2 * SIZE.margin + SIZE.column * Math.max(...lines.map((line) => line.length)));
  const height = SIZE.bar + 2 * SIZE.margin + SIZE.line * (lines.length - 1);
  const texts = lines.map(
    (line, at) =>
      `  <text x="${SIZE.margin}" y="${SIZE.bar + SIZE.margin + at * SIZE.line}" xml:space="preserve">${drawn(line)}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" role="img" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="${SIZE.text}">
  <title>npm start: a client searches, reads, follows links, edits, renames and undoes</title>
  <rect width="${width}" height="${height}" rx="8" fill="${COLOURS.ground}"/>
${["#ff5f57", "#febc2e", "#28c840"].map((fill, at) => `  <circle cx="${SIZE.margin + at * 18}" cy="16" r="5.5" fill="${fill}"/>`).join("\n")}
${texts.join("\n")}
</svg>
`;
};
