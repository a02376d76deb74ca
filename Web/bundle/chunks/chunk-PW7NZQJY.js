function c(n){let e=(n??"").slice(0,1e3).replace(/\s+/g," ").trim();return e.length<=300?e.replace(/[\ud800-\udbff]$/,""):`${e.slice(0,299).replace(/[\ud800-\udbff]$/,"")}…`}export{c as a};
