var t=(()=>{try{return new RegExp("^(?:\\s*\\p{RGI_Emoji}){1,3}\\s*$","v")}catch{return/^(?:\s*\p{Emoji_Presentation}){1,3}\s*$/u}})();function e(n){return n.length<=120&&t.test(n)}export{e as a};
