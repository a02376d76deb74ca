"use strict";try{const{theme:t}=JSON.parse(localStorage.getItem("roost.look")??"{}");(t==="light"||t==="dark")&&document.documentElement.setAttribute("data-theme",t)}catch{}
