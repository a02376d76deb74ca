import"./chunk-LEEGMWMJ.js";import{b as n}from"./chunk-5X4B7PGS.js";import{a as h,b as p}from"./chunk-EMUUJ3G7.js";import"./chunk-WIIGNE3Y.js";import{a as t,b as r,d as a,e as u}from"./chunk-Y4HQ7EP4.js";import"./chunk-2RQMXYUT.js";var y=h(`
.scheduled { padding: 4px 4px 0; border-bottom: 1px solid var(--roost-line); }
.scheduled > .item { font-size: var(--roost-size-1); color: var(--roost-text-2); border-radius: 18px; }
.scheduled [aria-expanded="true"] .icon:last-child { rotate: 180deg; }
.scheduled ul { max-height: 30dvh; overflow: auto; }
.scheduled li { display: flex; align-items: center; gap: 8px; min-height: 52px; padding: 4px 4px 4px 12px; }
.scheduled li .grow { display: grid; }
`);function C({client:m,conversation:l,t:o,times:c,fail:x,root:g},s){p(g,y);let{schedules:d}=l;if(s.hidden=!d.length,!d.length)return s.replaceChildren();if(!s.firstChild){let e=t("ul",{hidden:!0}),i=t("button",{type:"button",class:"item","aria-expanded":"false",onclick:()=>{e.hidden=!e.hidden,r(i,{"aria-expanded":`${!e.hidden}`})}},n("clock"),t("span",{class:"grow"}),n("chevron-down"));s.append(i,e)}let[f,b]=s.children;a(f.children[1],o("schedule.count",{count:d.length})),u(b,d,e=>e.scheduleID,e=>{let i=e.subject??e.messages.map(w=>w.text).join(`
`),v=o("schedule.item",{time:c.momentText(e.sendAt,m.serverTime)});return t("li",null,t("span",{class:"grow"},t("span",{class:"ellipsis",dir:"auto"},i),t("time",{class:"hint",datetime:c.isoText(e.sendAt)},v)),t("button",{type:"button",class:"button quiet",onclick:()=>l.cancelSchedule(e.scheduleID).catch(x)},o("schedule.cancel")))})}export{C as showSchedules};
