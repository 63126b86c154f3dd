/** A style similar to Telegram's light and dark themes; no part of it is copied from Telegram. */
export const style = `
* { box-sizing: border-box; }
:root { --back: #d9e5d0; --dots: #cadbbd; --in: #fff; --out: #e7fed0; --text: #0b0b0b; --faint: #7d8a94; --time-out: #5fa14a; --link: #1f7ad1; --accent: #3390ec; --button: rgba(70, 100, 60, .45); --code: #f0f2f4; --service: rgba(70, 100, 60, .5); }
.dark { --back: #0e1621; --dots: #131d2a; --in: #182533; --out: #2b5278; --text: #f2f5f7; --faint: #7d92a5; --time-out: #8fb3d4; --link: #6ab3f3; --accent: #6ab3f3; --button: rgba(50, 74, 98, .75); --code: #101a25; --service: rgba(40, 60, 80, .8); }
body { margin: 0; color: var(--text); background: var(--back) radial-gradient(var(--dots) 1.5px, transparent 1.6px) 0 0 / 22px 22px; font: 15px/1.35 Roboto, "Noto Sans", "Segoe UI", "Noto Sans CJK JP", "Noto Color Emoji", sans-serif; padding: 14px; min-height: 100vh; }
a { color: var(--link); text-decoration: none; }
.row { display: flex; gap: 8px; margin: 3px 0; align-items: flex-end; }
.row.own { justify-content: flex-end; }
.avatar { width: 34px; height: 34px; flex: none; border-radius: 50%; background: linear-gradient(#82b1ff, #665fff); color: #fff; display: grid; place-items: center; font-weight: 500; }
.stack { max-width: min(440px, 82%); min-width: 130px; }
.bubble { background: var(--in); border-radius: 14px 14px 14px 5px; overflow: hidden; box-shadow: 0 1px 2px rgba(0, 0, 0, .15); }
.own .bubble { background: var(--out); border-radius: 14px 14px 5px 14px; }
.inner { padding: 6px 10px 5px; overflow-wrap: anywhere; white-space: pre-wrap; unicode-bidi: plaintext; text-align: start; }
.name { color: var(--accent); font-weight: 500; font-size: 14px; padding: 6px 10px 0; }
.via { color: var(--faint); font-weight: 400; }
.answered { margin: 6px 10px; padding: 2px 8px; border-left: 3px solid var(--accent); border-radius: 4px; background: color-mix(in srgb, var(--accent) 12%, transparent); font-size: 13px; max-height: 44px; overflow: hidden; }
.answered b { color: var(--accent); font-weight: 500; display: block; } .answered span { white-space: nowrap; }
.when { float: right; margin: 6px 0 -3px 10px; font-size: 11px; color: var(--faint); } .own .when { color: var(--time-out); }
.media { position: relative; display: block; overflow: hidden; line-height: 0; background: #000; } .media img, .media video { width: 100%; max-height: 420px; object-fit: contain; }
.media.veiled img, .media.veiled video { filter: blur(26px) brightness(.8); } .media.veiled::after { content: "● ● ●"; position: absolute; inset: 0; display: grid; place-items: center; color: #fff; letter-spacing: 4px; }
.badge { position: absolute; top: 8px; left: 8px; background: rgba(0, 0, 0, .5); color: #fff; font-size: 11px; line-height: 1.3; padding: 2px 7px; border-radius: 9px; }
.sticker { width: 160px; } .sticker img { width: 100%; }
.file { display: flex; gap: 10px; align-items: center; padding: 8px 10px; } .file i { width: 42px; height: 42px; border-radius: 50%; background: var(--accent); color: #fff; display: grid; place-items: center; font-style: normal; } .file small { color: var(--faint); display: block; }
.keys { display: grid; gap: 4px; margin-top: 4px; } .keyrow { display: grid; grid-auto-flow: column; grid-auto-columns: minmax(0, 1fr); gap: 4px; }
.key { position: relative; background: var(--button); color: #fff; border-radius: 8px; padding: 8px 6px; text-align: center; font-size: 14px; font-weight: 500; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
.key.link::after { content: "↗"; position: absolute; top: 1px; right: 5px; font-size: 10px; }
.reactions span { display: inline-block; margin: 4px 10px 6px; background: color-mix(in srgb, var(--accent) 18%, transparent); border-radius: 12px; padding: 2px 9px; }
code { background: var(--code); border-radius: 4px; padding: 0 3px; font: 14px/1.4 "Noto Sans Mono", monospace; }
.spoiler { background: var(--faint); color: transparent; border-radius: 3px; }
.preview { border-left: 3px solid var(--accent); border-radius: 4px; padding: 2px 8px; margin-top: 4px; font-size: 13px; color: var(--faint); background: color-mix(in srgb, var(--accent) 10%, transparent); }
.service { width: fit-content; margin: 8px auto; background: var(--service); color: #fff; border-radius: 12px; padding: 3px 10px; font-size: 13px; }
.notice { width: fit-content; max-width: 80%; margin: 12px auto 0; background: rgba(30, 30, 30, .88); color: #fff; border-radius: 10px; padding: 9px 14px; font-size: 14px; }
`;
