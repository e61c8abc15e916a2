// The parts of a page that a server cannot do: search while you type, describe a link, load lines and folders, stay up to date.
import { startBox } from "./box.js";
import { startCards } from "./cards.js";
import { startCode } from "./code.js";
import { startTalk } from "./talk.js";
import { startLive } from "./live.js";
import { startParts } from "./parts.js";
import { startPicture } from "./picture.js";
import { startTree } from "./tree.js";

function startMain() {
  startParts();
  startTree();
  startCode();
  startPicture();
}

startBox();
startCards();
startTalk();
startMain();
startLive(startMain);
