/** The stylesheet, the script and the icon of the page. */

export const style = `:root{color-scheme:light dark;--line:light-dark(#d0d7de,#3d444d);
--soft:light-dark(#57606a,#a0a8b2);
--back:light-dark(#fff,#0d1117);--box:light-dark(#f6f8fa,#161b22);
--link:light-dark(#0550ae,#79b8ff);
--good:light-dark(#116329,#56d364);--bad:light-dark(#a40e26,#ff8a80);--other:light-dark(#7a4b00,#e3b341)}
*{box-sizing:border-box}
body{margin:0;font:15px/1.5 system-ui,sans-serif;background:var(--back)}
header{display:flex;flex-wrap:wrap;gap:.25rem 1rem;align-items:center;border-bottom:1px solid var(--line);
padding:.5rem max(1rem,50% - 35rem)}
nav{display:flex;flex-wrap:wrap;gap:0 .25rem;flex:1}
nav a{padding:.35rem .5rem;border-radius:.3rem;text-decoration:none}
nav a[aria-current]{background:var(--box);font-weight:600}
main{max-width:72rem;margin:0 auto;padding:0 1rem 3rem;outline:none}
h1{font-size:1.4rem;margin:1rem 0 .5rem;overflow-wrap:anywhere}h2{font-size:1.1rem;margin:1.5rem 0 .5rem}
a{color:var(--link)}
:focus-visible{outline:2px solid var(--link);outline-offset:2px}
.skip{position:absolute;left:-99rem}.skip:focus{left:1rem;top:.5rem;background:var(--back);padding:.5rem}
button,input,select{font:inherit;color:inherit;background:var(--box);border:1px solid var(--line);border-radius:.3rem;
padding:.25rem .6rem;min-height:2rem;max-width:100%}
.filters{display:flex;flex-wrap:wrap;gap:.5rem;align-items:end;margin:.5rem 0 1rem}.filters a{line-height:2rem}
label{display:flex;flex-direction:column;font-size:.85rem;color:var(--soft)}label input,label select{color:CanvasText}
.state,.empty,.note{color:var(--soft)}.state{float:right;margin:0 0 0 1rem}
.wide{overflow-x:auto}
table{border-collapse:collapse;width:100%}
th{text-align:left;font-weight:600;color:var(--soft);white-space:nowrap}
th,td{padding:.3rem .75rem .3rem 0;border-bottom:1px solid var(--line);vertical-align:top;overflow-wrap:anywhere}
td:has(>time,>span){width:1%;padding-right:1.5rem}td.lesser{overflow-wrap:break-word}
time,td>span{white-space:nowrap}.good{color:var(--good)}.bad{color:var(--bad)}.other{color:var(--other)}
pre{background:var(--box);border:1px solid var(--line);border-radius:.3rem;padding:.6rem;overflow:auto;max-height:32rem;
margin:0;font:13px/1.45 ui-monospace,monospace;tab-size:2}
figure{margin:1rem 0}figcaption{color:var(--soft);margin-bottom:.25rem}
.copy{float:right;padding:0 .5rem;min-height:1.6rem;font-size:.85rem}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1rem}
dt{color:var(--soft)}dd{margin:0;overflow-wrap:anywhere}
iframe{width:100%;height:70vh;border:1px solid var(--line);background:#fff}
svg{width:100%;height:5rem;border-bottom:1px solid var(--line);fill:currentColor}
label input{width:11rem}
@media(scripting:none){.copy{display:none}}
@media(max-width:40rem){.lesser{display:none}label{flex:1 1 8rem}label input,label select{width:100%}
nav{order:1;flex-basis:100%}strong{flex:1}nav a{padding:.35rem}nav{gap:0;margin:0 -.35rem}
dl{grid-template-columns:1fr}dt{margin-top:.4rem}}
`;

/**
 * Replaces the content of a live view, unless it is paused, or text in it is selected. The focus stays on the same
 * link. Also copies commands.
 */
export const script = `'use strict';
{
  const view = document.getElementById('view');
  const state = document.getElementById('state');
  const pause = document.getElementById('pause');
  let held;
  let isPaused = false;
  const isSelected = () => !getSelection().isCollapsed && view.contains(getSelection().anchorNode);
  const nameOf = (one) => one.getAttribute('href') ?? one.ariaLabel ?? one.textContent;
  const settle = () => {
    if (held === undefined || isPaused || isSelected()) return;
    const focus = view.contains(document.activeElement) && nameOf(document.activeElement);
    const places = [...view.querySelectorAll('.wide')].map((one) => one.scrollLeft);
    view.innerHTML = held;
    held = undefined;
    view.querySelectorAll('.wide').forEach((one, index) => one.scrollTo(places[index] ?? 0, 0));
    const again = [...view.querySelectorAll('a,button,[tabindex]')].find((one) => nameOf(one) === focus);
    again?.focus({ preventScroll: true });
  };
  view.onclick = async ({ target }) => {
    if (!target.matches('.copy')) return;
    await navigator.clipboard.writeText(target.closest('figure').querySelector('pre').textContent);
    target.textContent = 'Copied';
  };
  const outcome = document.querySelector('select');
  if (outcome) outcome.onchange = () => outcome.form.requestSubmit();
  if (view.dataset.live) {
    const say = (text) => { if (state.textContent !== text) state.textContent = text; };
    const source = new EventSource(view.dataset.live);
    source.onopen = () => say('Live');
    source.onerror = () => say(source.readyState === 2 ? 'Not connected. Reload the page.' : 'Connecting…');
    source.addEventListener('view', ({ data }) => { held = data; settle(); });
    document.onselectionchange = settle;
    pause.hidden = false;
    pause.onclick = () => {
      isPaused = !isPaused;
      pause.textContent = isPaused ? 'Continue' : 'Pause';
      say(isPaused ? 'Paused' : 'Live');
      settle();
    };
  }
}
`;

export const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="3" fill="#0550ae"/>
<path d="M4 5l3 3-3 3M9 11h4" stroke="#fff" stroke-width="1.6" fill="none"/></svg>`;
