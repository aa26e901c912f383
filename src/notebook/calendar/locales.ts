/** Locales: names of months and days, where a week begins, and how dates are written out, as Moment has them, which Obsidian uses. */

export type Locale = {
  months: readonly string[];
  monthsShort: readonly string[];
  /** From Sunday on, as are the shorter ones. */
  weekdays: readonly string[];
  weekdaysShort: readonly string[];
  weekdaysMin: readonly string[];
  /** The day a week begins with, and the day of January that lies in week 1 whatever the year. */
  weekStart: number;
  firstWeekHolds: number;
  /** What `LT`, `L`, `LL` … stand for. */
  long: Readonly<Record<string, string>>;
  /** `token`: what is counted, `D`, `M`, `w` … */
  ordinal(count: number, token: string): string;
  meridiem(hour: number, minute: number, lower: boolean): string;
  /** Between dashes (`-MMM-`) the short names of months have no dot. */
  dotless?: true;
};

type Ordinal = Locale["ordinal"];
type Row = [names: string, week: "Sunday" | "ISO", long: string, ordinal: Ordinal, more?: Partial<Locale>];

const after =
  (suffix: string): Ordinal =>
  (count) =>
    `${count}${suffix}`;
const english: Ordinal = (count) => {
  const teen = Math.floor((count % 100) / 10) === 1;
  return `${count}${teen ? "th" : (["th", "st", "nd", "rd"][count % 10] ?? "th")}`;
};
const swedish: Ordinal = (count) => {
  const teen = Math.floor((count % 100) / 10) === 1;
  return `${count}${!teen && (count % 10 === 1 || count % 10 === 2) ? ":a" : ":e"}`;
};
const dutch: Ordinal = (count) => `${count}${count === 1 || count === 8 || count >= 20 ? "ste" : "de"}`;
const french: Ordinal = (count, token) => {
  if (token === "D") return `${count}${count === 1 ? "er" : ""}`;
  if (token === "w" || token === "W") return `${count}${count === 1 ? "re" : "e"}`;
  return `${count}${count === 1 ? "er" : "e"}`;
};
const counting =
  (words: Record<string, string>): Ordinal =>
  (count, token) =>
    `${count}${words[token] ?? ""}`;
const days = (word: string): Record<string, string> => ({ d: word, D: word, DDD: word });

const latin: Locale["meridiem"] = (hour, _, lower) =>
  (lower ? ["am", "pm"] : ["AM", "PM"])[hour < 12 ? 0 : 1]!;
const halves =
  (before: string, past: string): Locale["meridiem"] =>
  (hour) =>
    hour < 12 ? before : past;
const chinese: Locale["meridiem"] = (hour, minute) => {
  const time = hour * 100 + minute;
  const name = (
    [
      [600, "凌晨"],
      [900, "早上"],
      [1130, "上午"],
      [1230, "中午"],
      [1800, "下午"],
    ] as const
  ).find(([end]) => time < end);
  return name ? name[1] : "晚上";
};

/** Names: months, short months, weekdays, short and shortest weekdays. Long forms: LT, LTS, L, LL, LLL, LLLL, and those of l that are not made of them. */
const ROWS: Record<string, Row> = {
  en: [
    "January February March April May June July August September October November December | Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec | Sunday Monday Tuesday Wednesday Thursday Friday Saturday | Sun Mon Tue Wed Thu Fri Sat | Su Mo Tu We Th Fr Sa",
    "Sunday",
    "h:mm A | h:mm:ss A | MM/DD/YYYY | MMMM D, YYYY | MMMM D, YYYY h:mm A | dddd, MMMM D, YYYY h:mm A",
    english,
  ],
  "en-gb": [
    "January February March April May June July August September October November December | Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec | Sunday Monday Tuesday Wednesday Thursday Friday Saturday | Sun Mon Tue Wed Thu Fri Sat | Su Mo Tu We Th Fr Sa",
    "ISO",
    "HH:mm | HH:mm:ss | DD/MM/YYYY | D MMMM YYYY | D MMMM YYYY HH:mm | dddd, D MMMM YYYY HH:mm",
    english,
  ],
  de: [
    "Januar Februar März April Mai Juni Juli August September Oktober November Dezember | Jan. Feb. März Apr. Mai Juni Juli Aug. Sep. Okt. Nov. Dez. | Sonntag Montag Dienstag Mittwoch Donnerstag Freitag Samstag | So. Mo. Di. Mi. Do. Fr. Sa. | So Mo Di Mi Do Fr Sa",
    "ISO",
    "HH:mm | HH:mm:ss | DD.MM.YYYY | D. MMMM YYYY | D. MMMM YYYY HH:mm | dddd, D. MMMM YYYY HH:mm",
    after("."),
  ],
  fr: [
    "janvier février mars avril mai juin juillet août septembre octobre novembre décembre | janv. févr. mars avr. mai juin juil. août sept. oct. nov. déc. | dimanche lundi mardi mercredi jeudi vendredi samedi | dim. lun. mar. mer. jeu. ven. sam. | di lu ma me je ve sa",
    "ISO",
    "HH:mm | HH:mm:ss | DD/MM/YYYY | D MMMM YYYY | D MMMM YYYY HH:mm | dddd D MMMM YYYY HH:mm",
    french,
  ],
  es: [
    "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre | ene. feb. mar. abr. may. jun. jul. ago. sep. oct. nov. dic. | domingo lunes martes miércoles jueves viernes sábado | dom. lun. mar. mié. jue. vie. sáb. | do lu ma mi ju vi sá",
    "ISO",
    "H:mm | H:mm:ss | DD/MM/YYYY | D [de] MMMM [de] YYYY | D [de] MMMM [de] YYYY H:mm | dddd, D [de] MMMM [de] YYYY H:mm",
    after("º"),
    { dotless: true },
  ],
  it: [
    "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre | gen feb mar apr mag giu lug ago set ott nov dic | domenica lunedì martedì mercoledì giovedì venerdì sabato | dom lun mar mer gio ven sab | do lu ma me gi ve sa",
    "ISO",
    "HH:mm | HH:mm:ss | DD/MM/YYYY | D MMMM YYYY | D MMMM YYYY HH:mm | dddd D MMMM YYYY HH:mm",
    after("º"),
  ],
  nl: [
    "januari februari maart april mei juni juli augustus september oktober november december | jan. feb. mrt. apr. mei jun. jul. aug. sep. okt. nov. dec. | zondag maandag dinsdag woensdag donderdag vrijdag zaterdag | zo. ma. di. wo. do. vr. za. | zo ma di wo do vr za",
    "ISO",
    "HH:mm | HH:mm:ss | DD-MM-YYYY | D MMMM YYYY | D MMMM YYYY HH:mm | dddd D MMMM YYYY HH:mm",
    dutch,
    { dotless: true },
  ],
  pt: [
    "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro | jan fev mar abr mai jun jul ago set out nov dez | Domingo Segunda-feira Terça-feira Quarta-feira Quinta-feira Sexta-feira Sábado | Dom Seg Ter Qua Qui Sex Sáb | Do 2ª 3ª 4ª 5ª 6ª Sá",
    "ISO",
    "HH:mm | HH:mm:ss | DD/MM/YYYY | D [de] MMMM [de] YYYY | D [de] MMMM [de] YYYY HH:mm | dddd, D [de] MMMM [de] YYYY HH:mm",
    after("º"),
  ],
  "pt-br": [
    "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro | jan fev mar abr mai jun jul ago set out nov dez | domingo segunda-feira terça-feira quarta-feira quinta-feira sexta-feira sábado | dom seg ter qua qui sex sáb | do 2ª 3ª 4ª 5ª 6ª sá",
    "Sunday",
    "HH:mm | HH:mm:ss | DD/MM/YYYY | D [de] MMMM [de] YYYY | D [de] MMMM [de] YYYY [às] HH:mm | dddd, D [de] MMMM [de] YYYY [às] HH:mm",
    after("º"),
  ],
  sv: [
    "januari februari mars april maj juni juli augusti september oktober november december | jan feb mar apr maj jun jul aug sep okt nov dec | söndag måndag tisdag onsdag torsdag fredag lördag | sön mån tis ons tors fre lör | sö må ti on to fr lö",
    "ISO",
    "HH:mm | HH:mm:ss | YYYY-MM-DD | D MMMM YYYY | D MMMM YYYY [kl.] HH:mm | dddd D MMMM YYYY [kl.] HH:mm |  |  | D MMM YYYY HH:mm | ddd D MMM YYYY HH:mm",
    swedish,
  ],
  da: [
    "januar februar marts april maj juni juli august september oktober november december | jan feb mar apr maj jun jul aug sep okt nov dec | søndag mandag tirsdag onsdag torsdag fredag lørdag | søn man tir ons tor fre lør | sø ma ti on to fr lø",
    "ISO",
    "HH:mm | HH:mm:ss | DD.MM.YYYY | D. MMMM YYYY | D. MMMM YYYY HH:mm | dddd [d.] D. MMMM YYYY [kl.] HH:mm",
    after("."),
  ],
  nb: [
    "januar februar mars april mai juni juli august september oktober november desember | jan. feb. mars apr. mai juni juli aug. sep. okt. nov. des. | søndag mandag tirsdag onsdag torsdag fredag lørdag | sø. ma. ti. on. to. fr. lø. | sø ma ti on to fr lø",
    "ISO",
    "HH:mm | HH:mm:ss | DD.MM.YYYY | D. MMMM YYYY | D. MMMM YYYY [kl.] HH:mm | dddd D. MMMM YYYY [kl.] HH:mm",
    after("."),
  ],
  ja: [
    "1月 2月 3月 4月 5月 6月 7月 8月 9月 10月 11月 12月 | 1月 2月 3月 4月 5月 6月 7月 8月 9月 10月 11月 12月 | 日曜日 月曜日 火曜日 水曜日 木曜日 金曜日 土曜日 | 日 月 火 水 木 金 土 | 日 月 火 水 木 金 土",
    "Sunday",
    "HH:mm | HH:mm:ss | YYYY/MM/DD | YYYY年M月D日 | YYYY年M月D日 HH:mm | YYYY年M月D日 dddd HH:mm | YYYY/MM/DD | YYYY年M月D日 | YYYY年M月D日 HH:mm | YYYY年M月D日(ddd) HH:mm",
    counting(days("日")),
    { meridiem: halves("午前", "午後") },
  ],
  ko: [
    "1월 2월 3월 4월 5월 6월 7월 8월 9월 10월 11월 12월 | 1월 2월 3월 4월 5월 6월 7월 8월 9월 10월 11월 12월 | 일요일 월요일 화요일 수요일 목요일 금요일 토요일 | 일 월 화 수 목 금 토 | 일 월 화 수 목 금 토",
    "Sunday",
    "A h:mm | A h:mm:ss | YYYY.MM.DD. | YYYY년 MMMM D일 | YYYY년 MMMM D일 A h:mm | YYYY년 MMMM D일 dddd A h:mm | YYYY.MM.DD. | YYYY년 MMMM D일 | YYYY년 MMMM D일 A h:mm | YYYY년 MMMM D일 dddd A h:mm",
    counting({ ...days("일"), M: "월", w: "주", W: "주" }),
    { meridiem: halves("오전", "오후") },
  ],
  "zh-cn": [
    "一月 二月 三月 四月 五月 六月 七月 八月 九月 十月 十一月 十二月 | 1月 2月 3月 4月 5月 6月 7月 8月 9月 10月 11月 12月 | 星期日 星期一 星期二 星期三 星期四 星期五 星期六 | 周日 周一 周二 周三 周四 周五 周六 | 日 一 二 三 四 五 六",
    "ISO",
    "HH:mm | HH:mm:ss | YYYY/MM/DD | YYYY年M月D日 | YYYY年M月D日Ah点mm分 | YYYY年M月D日ddddAh点mm分 | YYYY/M/D | YYYY年M月D日 | YYYY年M月D日 HH:mm | YYYY年M月D日dddd HH:mm",
    counting({ ...days("日"), M: "月", w: "周", W: "周" }),
    { meridiem: chinese },
  ],
  "zh-tw": [
    "一月 二月 三月 四月 五月 六月 七月 八月 九月 十月 十一月 十二月 | 1月 2月 3月 4月 5月 6月 7月 8月 9月 10月 11月 12月 | 星期日 星期一 星期二 星期三 星期四 星期五 星期六 | 週日 週一 週二 週三 週四 週五 週六 | 日 一 二 三 四 五 六",
    "Sunday",
    "HH:mm | HH:mm:ss | YYYY/MM/DD | YYYY年M月D日 | YYYY年M月D日 HH:mm | YYYY年M月D日dddd HH:mm | YYYY/M/D | YYYY年M月D日 | YYYY年M月D日 HH:mm | YYYY年M月D日dddd HH:mm",
    counting({ ...days("日"), M: "月", w: "週", W: "週" }),
    { meridiem: chinese },
  ],
};

export const LOCALES: readonly string[] = Object.keys(ROWS);

const LONG = ["LT", "LTS", "L", "LL", "LLL", "LLLL", "l", "ll", "lll", "llll"];

const made = ([names, week, long, ordinal, more]: Row): Locale => {
  const [months, monthsShort, weekdays, weekdaysShort, weekdaysMin] = names
    .split(" | ")
    .map((list) => list.split(" "));
  const forms = long.split(" | ").flatMap((form, at) => (form === "" ? [] : [[LONG[at]!, form]]));
  return {
    months: months!,
    monthsShort: monthsShort!,
    weekdays: weekdays!,
    weekdaysShort: weekdaysShort!,
    weekdaysMin: weekdaysMin!,
    weekStart: week === "ISO" ? 1 : 0,
    firstWeekHolds: week === "ISO" ? 4 : 1,
    long: Object.fromEntries(forms),
    ordinal,
    meridiem: latin,
    ...more,
  };
};

/** Null for one that is not known. */
export const localeNamed = (name: string): Locale | null =>
  Object.hasOwn(ROWS, name) ? made(ROWS[name]!) : null;
