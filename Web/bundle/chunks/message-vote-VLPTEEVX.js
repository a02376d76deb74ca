import{j as O}from"./chunk-D652JDR6.js";import{a as I,b as $}from"./chunk-3V6VE2WQ.js";import{a as o,b as T}from"./chunk-FGL23BOC.js";var W=I(`
.vote { display: grid; gap: 4px; width: 280px; max-width: 100%; margin: 6px 0 0; padding: 0; border: 0; }
.option { position: relative; display: flex; align-items: center; gap: 10px; min-height: 44px; padding: 6px 12px;
  border-radius: 10px; cursor: pointer; overflow: hidden; isolation: isolate; background:
  color-mix(in srgb, var(--roost-text) 5%, transparent); }
.option::before { content: ""; position: absolute; inset-block: 0; inset-inline-start: 0; z-index: -1;
  width: var(--share); background: color-mix(in srgb, var(--roost-accent) 22%, transparent);
  transition: width 240ms var(--roost-ease); }
.option input { width: 18px; height: 18px; margin: 0; flex: none; accent-color: var(--roost-accent); cursor: inherit; }
.option:has(:disabled) { cursor: default; }
.option.is-own { font-weight: 600; }
.option:has(:focus-visible) { outline: 2px solid var(--roost-accent); outline-offset: -2px; }
.result { font-size: var(--roost-size-1); font-variant-numeric: tabular-nums; }
.vote-buttons { display: flex; flex-wrap: wrap; gap: 8px; }
.vote .hint { display: flex; align-items: end; justify-content: space-between; gap: 8px; }
.vote .meta { float: none; margin: 0; margin-inline: auto -2px; }
.vote-buttons:not(:has(:not([hidden]))) { display: none; }
@media (forced-colors: active) { .option { border: 1px solid CanvasText; } }
`);function H(m,S,V){$(m.root,W);let{t,times:y,conversation:b,fail:j,client:q}=m,{message:d,vote:a}=S,i=d.vote??{options:[]},{choices:l=1,canChange:g=!1}=i,r=new Set(a?.ownOptions??[]),k=a?.phase==="open"&&b.canWrite,f=k&&(g||!r.size),{counts:u,voters:h=0}=a?.tally??{counts:void 0},B=g&&l===1,x=d.messageID??"",A=async s=>{v.setAttribute("aria-busy","true");try{await b.vote(x,s)}catch(e){j(e),p.forEach((n,c)=>n.checked=r.has(c)),D()}v.removeAttribute("aria-busy")},p=i.options.map((s,e)=>o("input",{type:l>1?"checkbox":"radio",name:`vote-${x}`,checked:r.has(e),disabled:!f,onchange:()=>B?A([e]):D()})),E=i.options.map((s,e)=>{let n=u?.[e]??0,c=u&&h?n/h:0,C=s.text||t("vote.option",{number:e+1});return o("label",{class:`option ${r.has(e)?"is-own":""}`,css:{"--share":`${c*100}%`}},p[e],o("span",{class:"grow",dir:"auto"},C),u&&o("span",{class:"result",title:t("vote.result",{option:C,count:n,percent:t.percent(c)})},t.percent(c),o("span",{class:"visually-hidden"},`, ${t("count.votes",{count:n})}`)))}),w=o("button",{type:"button",class:"button primary",hidden:!0,onclick:()=>A(p.flatMap((s,e)=>s.checked?[e]:[]))},t(r.size?"vote.change":"vote.cast")),D=()=>{let s=p.filter(n=>n.checked).length,e=p.every((n,c)=>n.checked===r.has(c));w.hidden=!f||e,w.disabled=s>l||!s&&!g},M=[a?.phase==="closed"?t("vote.closed"):i.closesAt?t("vote.closes",{time:y.momentText(i.closesAt,Date.now())}):a?.phase==="waiting"&&i.opensAt?t("vote.opens",{time:y.momentText(i.opensAt,Date.now())}):"",a&&(h?t("count.voters",{count:h}):t("vote.noVotes")),i.isSecret?t("vote.secret"):"",a&&!u&&a.phase!=="closed"?t("vote.hidden"):"",f&&l>1?t("vote.chooseUpTo",{count:l}):""].filter(Boolean).join(" · "),z=b.channel?.role,U=k&&(d.senderID===q.user.userID||z==="admin"||z==="moderator"),v=o("fieldset",{class:"vote"},o("legend",{class:"visually-hidden"},t("vote.label")),E,o("p",{class:"hint"},o("span",null,M),V),o("span",{class:"vote-buttons"},w,U&&o("button",{type:"button",class:"button quiet",onclick:()=>O(m,x)},t("vote.close"))));return T(v,{"aria-label":d.text||t("vote.label")}),v}export{H as voteView};
