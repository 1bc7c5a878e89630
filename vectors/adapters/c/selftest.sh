#!/bin/sh
# Builds the adapter in a temporary folder and checks values that spec/simhash-doc.md publishes, through the protocol.
# Exit code 0: all as published. Exit code 1: something differs, or does not build.
# CC and CFLAGS may be set.

here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd) || exit 1
classes=${SIMHASH_DOC_WORD_CLASSES:-$here/../../../spec/word-classes.txt}
compiler=${CC:-cc}
flags=${CFLAGS:--O2}
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM

# $flags is split into words on purpose.
# shellcheck disable=SC2086
"$compiler" -std=c11 $flags -Wall -Wextra -Wpedantic -Werror "$here/adapter.c" -o "$tmp/adapter" || exit 1

# lookup3 with initial values is no operation of the protocol: it is called directly.
cat > "$tmp/lookup3.c" <<END
#define main adapter_main
#include "$here/adapter.c"
#undef main

static const struct { const char *octets; uint32_t pc, pb, c, b; } PUBLISHED[] = {
    {"", 0x00000000, 0x00000000, 0xdeadbeef, 0xdeadbeef},
    {"", 0x00000000, 0xdeadbeef, 0xbd5b7dde, 0xdeadbeef},
    {"", 0xdeadbeef, 0xdeadbeef, 0x9c093ccd, 0xbd5b7dde},
    {"Four score and seven years ago", 0x00000000, 0x00000000, 0x17770551, 0xce7226e6},
    {"Four score and seven years ago", 0x00000000, 0x00000001, 0xe3607cae, 0xbd371de4},
    {"Four score and seven years ago", 0x00000001, 0x00000000, 0xcd628161, 0x6cbea4b3},
};

int main(void)
{
    size_t i, k;
    int wrong = 0;

    (void)adapter_main;
    for (i = 0; i < COUNT_OF(PUBLISHED); i++) {
        struct lookup3 s;

        lookup3_init(&s, strlen(PUBLISHED[i].octets), PUBLISHED[i].pc, PUBLISHED[i].pb);
        for (k = 0; PUBLISHED[i].octets[k] != 0; k++)
            lookup3_octet(&s, (unsigned char)PUBLISHED[i].octets[k]);
        lookup3_end(&s);
        if (s.c != PUBLISHED[i].c || s.b != PUBLISHED[i].b) {
            printf("lookup3, row %u: c %08lx, b %08lx\n", (unsigned)i, (unsigned long)s.c, (unsigned long)s.b);
            wrong = 1;
        }
    }
    return wrong;
}
END
# shellcheck disable=SC2086
"$compiler" -std=c11 $flags "$tmp/lookup3.c" -o "$tmp/lookup3" || exit 1
"$tmp/lookup3" || exit 1

# ask OPERATION MEMBERS-OF-THE-INPUT, then one argument for each text that the reply has to hold.
: > "$tmp/requests"
: > "$tmp/expected"
count=0
ask() {
    count=$((count + 1))
    printf '{"id":"%s","op":"%s","input":{%s}}\n' "$count" "$1" "$2" >> "$tmp/requests"
    shift 2
    for part in "$@"; do
        printf '%s %s\n' "$count" "$part" >> "$tmp/expected"
    done
}
decode() { ask decode "\"utf8\":\"$1\"" "{\"text\":$2}"; }
normalise() { ask normalise "\"text\":$1" "{\"text\":$2}"; }
locators() { ask strip-locators "\"text\":$1" "\"ok\":{\"text\":$2}"; }
tokens() { ask tokenise "\"text\":$1" "{\"tokens\":[$2]}"; }
hash() { ask token-hash "\"text\":$1" "{\"hash\":\"$2\"}"; }
fingerprint() {
    ask fingerprint "$1" "\"tokenCount\":$2" "\"octets\":\"$3\"" "\"hex\":\"$3\"" "{\"fingerprint\":\"$4\""
}
bare() { ask parse "\"serialised\":\"$1\"" "{\"fingerprint\":\"$2\"}"; }
written() { ask serialise "\"fingerprint\":\"$1\"" "{\"text\":\"$2\",\"hex\":\"$1\"}"; }
# bigrams TEXT TOKENS: in the variant bg1
bigrams() { ask tokenise "\"text\":$1,\"label\":\"simhash-doc+bg1\"" "{\"tokens\":[$2]}"; }
refused() { ask "$1" "$2" "\"error\":{\"code\":\"$3\"}"; }

# Protocol
ask hello '"protocol":1' '"protocol":1' '"language":"C"' '"unicode":null' \
    '"labels":["simhash-doc","simhash-doc+bg1","simhash-doc+cap8","simhash-doc+bg1+cap8"]'
ask extract-html '"utf8":"61"' '"unsupported":true'

# Step 1
decode efbbbf61 '"a"'
decode efbbbfefbbbf61 '"\ufeffa"'
decode c0af '"\ufffd\ufffd"'
decode e282 '"\ufffd"'
decode e28241 '"\ufffdA"'
decode e228a1 '"\ufffd(\ufffd"'
decode eda080 '"\ufffd\ufffd\ufffd"'
decode f0808080 '"\ufffd\ufffd\ufffd\ufffd"'
decode f4908080 '"\ufffd\ufffd\ufffd\ufffd"'
decode f18080e180c262 '"\ufffd\ufffd\ufffdb"'
decode fffe6100 '"\ufffd\ufffda\u0000"'
ask decode '"utf16":"0061d83dde00d8000062dc00"' '{"text":"a\ud83d\ude00\ufffdb\ufffd"}'

# Step 2
ask classify '"text":"A\u00e9\u4e2d\u30fc\u02b0"' '["letter","letter","letter","letter","letter"]'
ask classify '"text":"\u0301\u094d\u0663_"' '["word","word","word","word"]'
ask classify '"text":"\u093f\u2167\u2460\u00b2\u00b7\u30fb'"'"'\u2019\u200b\ufffd\ue000"' \
    '["break","break","break","break","break","break","break","break","break","break","break"]'
ask classify '"text":"\u00ad\u200d\ufe0f\u3164\u2065"' '["ignorable","ignorable","ignorable","ignorable","ignorable"]'
ask classify '"text":"\u0378\ufffe\u32ff"' '["unassigned","unassigned","unassigned"]'

# Step 3, where NFC permits
normalise '"co\u00adop"' '"coop"'
normalise '"\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"' '"\u0645\u06cc\u062e\u0648\u0627\u0647\u0645"'
normalise '"\ufeffa"' '"a"'
normalise '"a\u200bb"' '"a\u200bb"'
normalise '"\uff21\ufb01\u00c5"' '"\uff21\ufb01\u00c5"'
normalise '"\u32ffx"' '"\ufffdx"'
ask normalise '"text":"e\u0301"' '"unsupported":true'
ask normalise '"text":"\u212a"' '"unsupported":true'

# Step 4
locators '"see http://example.org/a?b=c. Next"' '"see   Next"'
locators '"<http://example.org/>"' '"< >"'
locators '"(http://example.org/)"' '"( "'
locators '"http://"' '"http://"'
locators '"http:/x"' '"http:/x"'
locators '"x.http://y"' '" "'
locators '"xhttp://y"' '" "'
locators '"1http://y"' '"1http://y"'
locators '"1.http://y"' '"1. "'
locators '"a:b://c"' '"a: "'
locators '"\u00e9http://y"' '"\u00e9 "'
locators '"http://\u00e9"' '"http://\u00e9"'
locators '"http://y\u00e9z"' '" \u00e9z"'
locators '"h\u0131ttp://y"' '"h\u0131 "'
locators '"www.example.org"' '" "'
locators '"WWW.x"' '" "'
locators '"www. x"' '"www. x"'
locators '"awww.x"' '"awww.x"'
locators '"-www.x"' '"- "'
locators '"doi:10.1000/182"' '" "'
locators '"doi: 10.1000/182"' '"doi:  "'
locators '"Info:see"' '" "'
locators '"mailto://x"' '" "'
locators '"x-doi:1"' '"x- "'
locators '"xdoi:1"' '"xdoi:1"'
locators '"isbn-13:978"' '"isbn-13:978"'
locators '"i\u017fbn:123"' '"i\u017fbn:123"'
locators '"do\u0131:1"' '"do\u0131:1"'
locators '"10.1000/182"' '" "'
locators '"10.1000.10/123456"' '" "'
locators '"10.12/x"' '"10.12/x"'
locators '"10.123456789/x"' '" "'
locators '"10.1234567890/x"' '"10.1234567890/x"'
locators '"10.1000./x"' '"10.1000./x"'
locators '"110.1000/x"' '"110.1000/x"'
locators '"9.10.1000/x"' '"9. "'
locators '"a@b.c"' '" "'
locators '"a@b"' '"a@b"'
locators '"a@b..c"' '"a@b..c"'
locators '"a@b.c..d"' '" ..d"'
locators '"a@b.c."' '" ."'
locators '".a@b.c"' '" "'
locators '"a@b.c/d"' '" /d"'
locators '"a@b.10.1000/x"' '" /x"'
locators '"a@b.c_d@e.f"' '" _ "'
locators '"a@b.c@d.e"' '" @d.e"'
locators '"\u00e9j@x.yz"' '"\u00e9 "'
locators '"j\u00e9@x.yz"' '"j\u00e9@x.yz"'
locators '"a@b.d\u00fc"' '" \u00fc"'
locators '"x@y.z\u0308d"' '" \u0308d"'
locators '"550e8400-e29b-41d4-a716-446655440000"' '" "'
locators '"x-550e8400-e29b-41d4-a716-446655440000"' '"x- "'
locators '"550e8400-550e8400-e29b-41d4-a716-446655440000"' '"550e8400- "'
locators '"550e8400-e29b-41d4-a716-446655440000-x"' '" -x"'
locators '"550e8400-e29b-41d4-a716-446655440000x"' '"550e8400-e29b-41d4-a716-446655440000x"'
locators '"550e8400-e29b-41d4-a716-446655440000.x@y.z"' '" "'
locators '"d41d8cd98f00b204e9800998ecf8427e"' '" "'
locators '"d41d8cd98f00b204e9800998ecf8427e0"' '" "'
locators '"d41d8cd98f00b204e9800998ecf8427eg"' '"d41d8cd98f00b204e9800998ecf8427eg"'
locators '"d41d8cd98f00b204e9800998ecf8427e\u00e9"' '" \u00e9"'
locators '"d41d8cd98f00b204e9800998ecf8427"' '"d41d8cd98f00b204e9800998ecf8427"'
locators '"0xd41d8cd98f00b204e9800998ecf8427e"' '"0xd41d8cd98f00b204e9800998ecf8427e"'
locators '"sha256:d41d8cd98f00b204e9800998ecf8427e"' '"sha256: "'
locators '"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"' '"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"'
locators '"11111111111111111111111111111111"' '" "'

# Step 5
tokens '"don'"'"'t"' '"don","t"'
tokens '"well-known"' '"well","known"'
tokens '"__init__"' '"__init__"'
tokens '"In 2024, the 3rd H2O x2."' '"In","the","3rd","H2O","x2"'
tokens '"_"' ''
tokens '"_1_"' ''
tokens '"\u0663"' ''
tokens '"the The the"' '"the","The","the"'
tokens '"\u0939\u093f\u0928\u094d\u0926\u0940"' '"\u0939","\u0928\u094d\u0926"'
tokens '"\u6771\u4eac\u30bf\u30ef\u30fc\u3078\u884c\u304f\u3002"' '"\u6771\u4eac\u30bf\u30ef\u30fc\u3078\u884c\u304f"'
tokens '"a\u2460b"' '"a","b"'
tokens '" \u0308d"' '"\u0308d"'
tokens '" \u0308 "' ''

# bg1
bigrams '"\u4e2d"' '"\u4e2d"'
bigrams '"\u6771\u4eac\u90fd \u4eac"' '"\u6771\u4eac","\u4eac\u90fd","\u4eac"'
bigrams '"a\u4e2d1\u6587\u5b57_x2"' '"a","\u4e2d","\u6587\u5b57","_x2"'
bigrams '"\u0e01\u0e33\u0e25\u0e31\u0e07"' '"\u0e01\u0e33","\u0e33\u0e25\u0e31","\u0e25\u0e31\u0e07"'
bigrams '"\u4e2d\u0301\u0302"' '"\u4e2d\u0301\u0302"'
bigrams '"\u0301\u4e2d1\u0301\u6587"' '"\u4e2d","\u6587"'
bigrams '"a\u0301\u4e2d\u0301b"' '"a\u0301","\u4e2d\u0301","b"'
bigrams '"\u4e2d\ud840\udc00\u3042"' '"\u4e2d\ud840\udc00","\ud840\udc00\u3042"'
bigrams '"\ud55c\uad6d\uc5b4 1\u0301"' '"\ud55c\uad6d\uc5b4"'
ask tokenise '"text":"\u6771\u4eac\u90fd","label":"simhash-doc+cap8"' '{"tokens":["\u6771\u4eac\u90fd"]}'
refused tokenise '"text":"a","label":"simhash-doc+cap8+bg1"' invalid-label
refused fingerprint '"text":"a","label":""' invalid-label

# Step 7
hash '""' deadbeefdeadbeef
hash '"Four score and seven years ago"' ce7226e617770551
hash '"a"' 582647ac58d68708
hash '"ab"' 6b79a0f2fbb3a8df
hash '"abc"' 3c03be9e0e397631
hash '"abcd"' e20dd3fab5f4889c
hash '"abcde"' 03cd18df026d72de
hash '"abcdef"' 23a820a4d6fa502e
hash '"abcdefg"' 59ac1d9db11ad4a5
hash '"abcdefgh"' c79695242995c3be
hash '"abcdefghi"' d99384ffac6572b4
hash '"abcdefghij"' 4e0e39008bf7d2ef
hash '"abcdefghijk"' 83d518745f61edf8
hash '"abcdefghijkl"' 75b50ec04012f87b
hash '"abcdefghijklm"' 0f04ab68928128f9
hash '"abcdefghijklmnopqrstuvwx"' e0bd774e1b631fea
hash '"abcdefghijklmnopqrstuvwxy"' 1fb0330d6c29c5e2

hash '"Caf\u00e9"' 1b645eb30544d690
hash '"No"' b62cb72308dabe3a
hash '"see"' 4d04bc571d509d48
hash '"serves"' 9c59c7dda7130aed
hash '"softdrinks"' 34fbc106e75b862b
hash '"and"' 31e2c60ab165954c
hash '"H2O"' f5050d96a626cd6d
hash '"caf\u00e9"' 6f42420687771fb9
hash '"or"' 15b08ca506f411f2

# Step 8: a hash counts eight times in cap8
nine='"hashes":["0000000000000001","0000000000000001","0000000000000001","0000000000000001","0000000000000001","0000000000000001","0000000000000001","0000000000000001","0000000000000001"'
ask simhash "$nine,\"0000000000000000\"]" '"counters":[-10,' ',8]'
ask simhash "$nine,\"0000000000000000\"],\"label\":\"simhash-doc+cap8\"" '"counters":[-9,' ',7]'
ask simhash "$nine,\"0000000000000000\"],\"label\":\"simhash-doc+bg1\"" '"counters":[-10,' ',8]'
ask simhash '"hashes":[],"label":"simhash-doc+bg1+cap8"' '"fingerprint":null'
refused simhash '"hashes":[],"label":"simhash-doc+sw1"' invalid-label
ask fingerprint '"text":"a a a a a a a a a","label":"simhash-doc+bg1+cap8"' '"tokenCount":9' '"counters":[-8,8,'

# Steps 1 to 9: the fingerprints of Appendix A
fingerprint '"text":"a"' 1 582647ac58d68708 LATEPLCY22DQQ
fingerprint '"text":"the"' 1 32fcc08307176276 GL6MBAYHC5RHM
fingerprint '"text":"The"' 1 22ea77ae2c593e84 ELVHPLRMLE7II
fingerprint '"text":"naïve"' 1 c1f0394e83086ac7 YHYDSTUDBBVMO
fingerprint '"text":"simhash"' 1 88544d74ff74cd3e RBKE25H7OTGT4
fingerprint '"text":"Füße"' 1 4097fd3b341e4ed7 ICL72OZUDZHNO
fingerprint '"text":"Съешь ещё этих мягких французских булок"' 6 4900662f1c42c436 JEAGMLY4ILCDM
fingerprint '"text":"いろはにほへと ちりぬるを"' 2 008c0c8022884c00 ACGAZABCRBGAA
fingerprint '"text":"नमस्ते दुनिया"' 3 d743a35b723a680f 25B2GW3SHJUA6
fingerprint '"text":"The quick brown fox jumps over the lazy dog."' 9 e2f747918b152666 4L3UPEMLCUTGM
ask fingerprint '"text":""' '"fingerprint":null' '"octets":null' '"hex":null' '"keys":null' '"tokenCount":0'
refused serialise '"fingerprint":null' no-fingerprint

# The worked example. Its input needs NFC for `e` and U+0301; here these two are composed already.
ask fingerprint '"utf8":"efbbbf43616665cc81"' '"unsupported":true'
ask fingerprint '"utf8":"efbbbf436166c3a9204e6f2ec2a03520287365652068747470733a2f2f6578616d706c652e6f72672f6d656e75292073657276657320736f6674c2ad6472696e6b7320e28220616e642048324f3b20636166c3a9206f7220436166c3a93f0a"' \
    '"normalised":"Caf\u00e9 No.\u00a05 (see https://example.org/menu) serves softdrinks \ufffd and H2O; caf\u00e9 or Caf\u00e9?\u000a"' \
    '"stripped":"Caf\u00e9 No.\u00a05 (see   serves softdrinks \ufffd and H2O; caf\u00e9 or Caf\u00e9?\u000a"' \
    '"tokens":["Caf\u00e9","No","see","serves","softdrinks","and","H2O","caf\u00e9","or","Caf\u00e9"]' \
    '"counters":[-4,-4,0,6,0,4,-2,4,-4,2,2,-4,-4,0,-4,-4,2,2,-6,-2,0,6,2,-2,0,-6,-2,0,-6,2,6,2,0,-8,-2,-6,-6,6,0,4,-6,6,-2,2,-6,2,0,-2,4,-4,-8,4,0,6,2,0,0,0,2,0,4,-4,-4,-2]' \
    '"hex":"1560c60705549628"' '"fingerprint":"CVQMMBYFKSLCQ"' '"tokenCount":10'

# Step 9
written 3020ceaa2375a74e GAQM5KRDOWTU4
written 0000000000000000 AAAAAAAAAAAAA
written ffffffffffffffff 7777777777776
for form in GAQM5KRDOWTU4 gaqm5krdowtu4 GaQm5kRdOwTu4===; do
    bare "$form" 3020ceaa2375a74e
done
bare aaaaaaaaaaaaa 0000000000000000
bare '7777777777776===' ffffffffffffffff
for form in '' GAQM5KRDOWTU GAQM5KRDOWTU5 GAQM5KRDOWTU4= GAQM5KRDOWTU4== GAQM5KRDOWTU4==== 'GAQM5KRDOWTU4\n' \
    ' GAQM5KRDOWTU4' 'GAQM5KRDOWTU4 ' GAQM5-KRDOW-TU4 0AQM5KRDOWTU4 GAQM5KRD1WTU4 GAQM8KRDOWTU4 'GAQM5\u212aRDOWTU4' \
    simhash-doc:GAQM5KRDOWTU4 3020ceaa2375a74e; do
    refused parse "\"serialised\":\"$form\"" invalid-fingerprint
done
ask parse-label '"label":"SimHash-Doc"' '{"label":"simhash-doc"}'
refused parse-label '"label":"simhash-doc+sw1"' invalid-label
refused parse-label '"label":"simhash-doc+cap8+bg1"' invalid-label
refused parse-label '"label":"simhash-doc+bg1+bg1"' invalid-label
ask parse-labelled '"labelled":"SimHash-Doc+BG1+Cap8:gaqm5krdowtu4"' \
    '{"label":"simhash-doc+bg1+cap8","fingerprint":"3020ceaa2375a74e"}'
ask parse-labelled '"labelled":"SIMHASH-DOC:gaqm5krdowtu4==="' '{"label":"simhash-doc","fingerprint":"3020ceaa2375a74e"}'
refused parse-labelled '"labelled":"GAQM5KRDOWTU4"' invalid-label
refused parse-labelled '"labelled":"simhash-doc+sw1:GAQM5KRDOWTU4"' invalid-label
refused parse-labelled '"labelled":"simhash-doc:GAQM5KRDOWTU5"' invalid-fingerprint

ask parse-hex '"hex":"3020CEAA2375a74e"' '{"fingerprint":"3020ceaa2375a74e"}'
refused parse-hex '"hex":"0x3020ceaa2375a74e"' invalid-fingerprint
refused parse-hex '"hex":"3020ceaa2375a74"' invalid-fingerprint
refused parse-hex '"hex":"3020ceaa2375a74g"' invalid-fingerprint
ask format-labelled '"label":"SimHash-Doc","fingerprint":"3020ceaa2375a74e"' '{"labelled":"simhash-doc:GAQM5KRDOWTU4"}'
ask format-labelled '"label":"simhash-doc+CAP8","fingerprint":"3020ceaa2375a74e"' \
    '{"labelled":"simhash-doc+cap8:GAQM5KRDOWTU4"}'
refused format-labelled '"label":"nosuch","fingerprint":null' invalid-label
refused format-labelled '"label":"simhash-doc","fingerprint":null' no-fingerprint
ask lookup3 '"utf8":"","pc":"00000000","pb":"deadbeef"' '{"c":"bd5b7dde","b":"deadbeef"}'

# Step 10
compare() {
    ask compare "\"a\":\"simhash-doc:AAAAAAAAAAAAA\",\"b\":\"simhash-doc:$1\"" \
        "{\"distance\":$2,\"similarity\":$3,\"verdict\":\"$4\"}"
}
compare AAAAAAAAAAAAA 0 1 close
compare AAAAAAAAAAAAC 1 0.984375 close
compare AAAAAAAAAAAAG 2 0.96875 loose
compare AAAAAAAAAAAAO 3 0.953125 loose
compare AAAAAAAAAAAA6 4 0.9375 loose
compare AAAAAAAAAAAB6 5 0.921875 loose
compare AAAAAAAAAAAD6 6 0.90625 loose
compare AAAAAAAAAAAH6 7 0.890625 none
compare 7777777777776 64 0 none
refused compare '"a":null,"b":null' no-fingerprint
ask compare '"a":"simhash-doc+bg1:AAAAAAAAAAAAA","b":"simhash-doc+BG1:AAAAAAAAAAAAC"' '"distance":1,'
refused compare '"a":"simhash-doc:AAAAAAAAAAAAA","b":"simhash-doc+bg1:AAAAAAAAAAAAA"' label-mismatch
refused compare '"a":"simhash-doc:AAAAAAAAAAAAA","b":"simhash-doc+bg1:A"' invalid-fingerprint
refused compare '"a":"simhash-doc:AAAAAAAAAAAAA","b":null' no-fingerprint

# Step 11
ask tables '"fingerprint":"1560c60705549628"' \
    '"keys":[22416480,22415109,22414665,22414888,207647062,207646725,207648073,207648296,5587286,5587142,5587065,5588520,157450582,157450438,157450352,157451604]' \
    '"permuted":["1560c60705549628","1560705c60549628","1560549c60705628","1560628c60705549","c607156005549628","c607005156549628","c607549156005628","c607628156005549","05541560c6079628","05540c6156079628","05540791560c6628","05546281560c6079","96281560c6070554","96280c6156070554","96280701560c6554","96285541560c6070"]'
ask unpermute '"permuted":"ceaa75a30202374e","table":6' '{"fingerprint":"3020ceaa2375a74e"}'
k=0
for probes in 1 1 1 1 29 221 221 221 1847; do
    ask probe "\"fingerprint\":\"3020ceaa2375a74e\",\"table\":6,\"k\":$k" "{\"count\":$probes,"
    k=$((k + 1))
done
refused probe '"fingerprint":"3020ceaa2375a74e","table":16,"k":3' out-of-range
refused probe '"fingerprint":"3020ceaa2375a74e","table":6,"k":65' out-of-range
ask lookup '"entries":[{"id":"b","fingerprint":"0000000000000001"},{"id":"ab","fingerprint":"0000000000000003"},{"id":"a","fingerprint":"8000000000000000"},{"id":"c","fingerprint":"000000000000000f"}],"query":"0000000000000000","k":3' \
    '"completeTo":3' '"matches":[{"id":"a","fingerprint":"8000000000000000","distance":1},{"id":"b","fingerprint":"0000000000000001","distance":1},{"id":"ab","fingerprint":"0000000000000003","distance":2}]'
refused lookup '"entries":[],"query":null,"k":3' no-fingerprint

# Accumulated vectors
ask accumulate '"step":"token-hash","rule":{"rule":"octets","least":0,"most":2},"seed":1,"count":4' \
    '{"digest":"5c62d7641aab682c1d5a581dfe948bb188e798b51afea33a2a8a076a63df721b"}'
ask accumulate '"step":"token-hash","rule":{"rule":"octets","least":0,"most":2},"seed":1,"count":0' \
    '{"digest":"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"}'

"$tmp/adapter" "$classes" < "$tmp/requests" > "$tmp/replies" || { echo "the adapter ended with exit code $?"; exit 1; }
[ "$(wc -l < "$tmp/replies")" -eq "$count" ] || { echo "there is not one reply for each request"; exit 1; }

# Each expected text has to stand in the reply with its number.
wrong=0
checks=0
number=0
exec 3< "$tmp/expected" 4< "$tmp/replies"
while IFS= read -r line <&3; do
    while [ "$number" -lt "${line%% *}" ]; do
        IFS= read -r reply <&4
        number=$((number + 1))
    done
    checks=$((checks + 1))
    case $reply in
    "{\"id\":\"$number\","*"${line#* }"*) ;;
    *)
        wrong=$((wrong + 1))
        printf 'wrong:    %s\nreply:    %s\nexpected: %s\n' "$(sed -n "${number}p" "$tmp/requests")" "$reply" "${line#* }"
        ;;
    esac
done
echo "$count requests, $checks checks, $wrong wrong"
[ "$wrong" -eq 0 ]
