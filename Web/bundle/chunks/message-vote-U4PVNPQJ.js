import{v as S}from"./chunk-XP7GNXDR.js";import{a as $,b as O}from"./chunk-EMUUJ3G7.js";import"./chunk-LRSLODDT.js";import{a as o,b as I}from"./chunk-Y4HQ7EP4.js";import"./chunk-BHU2EXK3.js";var W=$(`
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
`);function J(m,V,j){O(m.root,W);let{t,times:k,conversation:b,fail:q,client:g}=m,{message:d,vote:a}=V,i=d.vote??{options:[]},{choices:l=1,canChange:f=!1}=i,c=new Set(a?.ownOptions??[]),A=a?.phase==="open"&&b.canWrite,x=A&&(f||!c.size),{counts:u,voters:h=0}=a?.tally??{counts:void 0},B=f&&l===1,y=d.messageID??"",T=async s=>{v.setAttribute("aria-busy","true");try{await b.vote(y,s)}catch(e){q(e),p.forEach((n,r)=>n.checked=c.has(r)),z()}v.removeAttribute("aria-busy")},p=i.options.map((s,e)=>o("input",{type:l>1?"checkbox":"radio",name:`vote-${y}`,checked:c.has(e),disabled:!x,onchange:()=>B?T([e]):z()})),E=i.options.map((s,e)=>{let n=u?.[e]??0,r=u&&h?n/h:0,D=s.text||t("vote.option",{number:e+1});return o("label",{class:`option ${c.has(e)?"is-own":""}`,css:{"--share":`${r*100}%`}},p[e],o("span",{class:"grow",dir:"auto"},D),u&&o("span",{class:"result",title:t("vote.result",{option:D,count:n,percent:t.percent(r)})},t.percent(r),o("span",{class:"visually-hidden"},`, ${t("count.votes",{count:n})}`)))}),w=o("button",{type:"button",class:"button primary",hidden:!0,onclick:()=>T(p.flatMap((s,e)=>s.checked?[e]:[]))},t(c.size?"vote.change":"vote.cast")),z=()=>{let s=p.filter(n=>n.checked).length,e=p.every((n,r)=>n.checked===c.has(r));w.hidden=!x||e,w.disabled=s>l||!s&&!f},M=[a?.phase==="closed"?t("vote.closed"):i.closesAt?t("vote.closes",{time:k.momentText(i.closesAt,g.serverTime)}):a?.phase==="waiting"&&i.opensAt?t("vote.opens",{time:k.momentText(i.opensAt,g.serverTime)}):"",a&&(h?t("count.voters",{count:h}):t("vote.noVotes")),i.isSecret?t("vote.secret"):"",a&&!u&&a.phase!=="closed"?t("vote.hidden"):"",x&&l>1?t("vote.chooseUpTo",{count:l}):""].filter(Boolean).join(" · "),C=b.channel?.role,U=A&&(d.senderID===g.user.userID||C==="admin"||C==="moderator"),v=o("fieldset",{class:"vote"},o("legend",{class:"visually-hidden"},t("vote.label")),E,o("p",{class:"hint"},o("span",null,M),j),o("span",{class:"vote-buttons"},w,U&&o("button",{type:"button",class:"button quiet",onclick:()=>S(m,y)},t("vote.close"))));return I(v,{"aria-label":d.text||t("vote.label")}),v}export{J as voteView};
