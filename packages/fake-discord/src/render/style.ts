/** A style similar to Discord's dark and light themes; no part of it is copied from Discord. */
export const style = `
* { box-sizing: border-box; }
body { margin: 0; padding: 16px; background: #323339; color: #dbdee1; font: 16px/1.375 "Noto Sans", "gg sans", "Helvetica Neue", Helvetica, Arial, "Noto Sans CJK JP", sans-serif; }
a { color: #00a8fc; text-decoration: none; }
h1 { font-size: 24px; } h2 { font-size: 20px; } h3 { font-size: 16px; }
h1, h2, h3 { margin: 4px 0; line-height: 1.25; color: #f2f3f5; font-weight: 700; }
small { display: block; font-size: 13px; color: #949ba4; }
code { background: #232428; border: 1px solid #3f4147; border-radius: 4px; font: 14px monospace; padding: 1px 4px; }
.item { padding-left: 18px; position: relative; } .item::before { content: "•"; position: absolute; left: 5px; }
.gap { height: 10px; }
.message { display: grid; grid-template-columns: 40px 1fr; gap: 2px 16px; max-width: 640px; }
.message.private { background: #39374a; border-radius: 6px; padding: 8px; }
.used { grid-column: 2; font-size: 13px; color: #b5bac1; }
.avatar { width: 40px; height: 40px; border-radius: 50%; background: #5865f2; color: #fff; display: grid; place-items: center; font-weight: 700; }
.name { color: #f2f3f5; font-weight: 600; }
.app { background: #5865f2; color: #fff; font-size: 10px; font-weight: 600; padding: 1px 4px; border-radius: 3px; vertical-align: 2px; margin: 0 4px; }
.when { font-size: 12px; color: #949ba4; }
.container { position: relative; background: #3a3c43; border: 1px solid #46484f; border-radius: 8px; padding: 16px; margin: 4px 0; display: flex; flex-direction: column; gap: 8px; overflow: hidden; }
.container.accent { padding-left: 20px; } .container > .bar { position: absolute; inset: 0 auto 0 0; width: 4px; }
.text { overflow-wrap: anywhere; }
.row { display: flex; flex-wrap: wrap; gap: 8px; }
.button { min-height: 32px; padding: 2px 16px; border-radius: 8px; color: #fff; font-size: 14px; font-weight: 500; display: inline-flex; align-items: center; gap: 6px; background: #4e5058; }
.button.style1 { background: #5865f2; } .button.style3 { background: #248046; } .button.style4 { background: #da373c; }
.button.disabled { opacity: .5; } .button.style5::after { content: "↗"; font-size: 12px; }
.choice { width: 100%; max-width: 400px; display: grid; gap: 4px; }
.select { background: #2b2d31; border: 1px solid #46484f; border-radius: 8px; padding: 9px 12px; color: #949ba4; display: flex; justify-content: space-between; }
.options { background: #2b2d31; border-radius: 6px; padding: 4px; font-size: 14px; } .options div { padding: 5px 8px; } .options small { font-size: 12px; }
.section { display: flex; justify-content: space-between; gap: 16px; } .section > .texts { min-width: 0; } .section .media { width: 85px; height: 85px; border-radius: 8px; overflow: hidden; } .section .media img { height: 85px; object-fit: cover; }
.gallery { display: grid; gap: 4px; border-radius: 8px; overflow: hidden; } .gallery.many { grid-template-columns: 1fr 1fr; }
.media { position: relative; min-height: 24px; background: #2b2d31; display: flex; } .media img, .media video { width: 100%; max-height: 360px; object-fit: contain; display: block; }
.media.spoiler img, .media.spoiler video { filter: blur(30px); }
.media.spoiler::after { content: "SPOILER"; position: absolute; top: 50%; left: 50%; transform: translate(-50%, -50%); background: #000c; border-radius: 20px; padding: 8px 12px; font-weight: 700; font-size: 15px; }
.play { position: absolute; bottom: 8px; left: 8px; background: #000a; color: #fff; border-radius: 4px; padding: 0 8px; font-size: 13px; }
.missing { padding: 16px; color: #949ba4; font-size: 13px; overflow-wrap: anywhere; }
.spoiler-text { background: #1e1f22; color: #1e1f22; border-radius: 4px; padding: 0 3px; } .mention { background: #5865f24d; color: #c9cdfb; border-radius: 3px; padding: 0 2px; } .time { background: #ffffff0f; border-radius: 3px; padding: 0 2px; }
.file { display: flex; gap: 8px; background: #2b2d31; border: 1px solid #46484f; border-radius: 8px; padding: 16px; max-width: 432px; } .file small { display: block; }
hr { border: 0; border-top: 1px solid #4e5058; width: 100%; margin: 4px 0; } .large { margin: 12px 0; }
.thinking { color: #949ba4; } .notice { grid-column: 2; font-size: 12px; color: #949ba4; margin-top: 4px; }
.light { background: #fff; color: #313338; } .light :is(h1, h2, h3, .name) { color: #060607; } .light a { color: #006ce7; }
.light :is(small, .used, .when, .thinking, .notice) { color: #5c5e66; }
.light :is(code, .select, .options, .file, .media) { background: #ebedef; border-color: #d7d9dc; color: #313338; }
.light .container { background: #f7f7f8; border-color: #e1e2e4; } .light .message.private { background: #eef0fd; }
.light .button { background: #e3e5e8; color: #313338; } .light .button:is(.style1, .style3, .style4) { color: #fff; }
.light .button.style1 { background: #5865f2; } .light .button.style3 { background: #248046; } .light .button.style4 { background: #da373c; }
.light .mention { color: #3c45a5; } .light .time { background: #0000000f; } .light .spoiler-text { background: #d0d2d6; color: #d0d2d6; }
`;
