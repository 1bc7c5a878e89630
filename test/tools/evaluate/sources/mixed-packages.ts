/** Small Debian packages with documentation of every kind: some of each section, no family of packages more than twice. */
export const MIXED_PACKAGES = `ament-cmake-core apparmor-notify apt-listdifferences apt-mirror apt-xapian-index
arctica-greeter-theme-debian-futureprototype artfastqgenerator asciidoc-base aspell-kk asterisk-core-sounds-es
asterisk-core-sounds-it autosuspend baresip barman-cli-cloud bdebstrap berrynet-dashboard bgoffice-computer-terms
bluebrain-hpc-coding-conventions bootcd bsfilter btest budgie-quickchar c2hs-doc camv-rnd-doc ceni cephfs-shell
changetrack chromium-tt-rss-notifier cl-drakma cl-puri cloc cmigemo-common commit-patch confy conservation-code
cowsay cplay-ng cron-apt cycle dante-client darkmint-gtk-theme debaux debian-edu-artwork debiandoc-sgml debootstrap
debtree dh-dist-zilla dh-xsp dhcpig dict-freedict-eng-gle dict-freedict-gla-deu dictem ding docdiff dpkg-repack
dput-ng droidlysis dvd-slideshow eiskaltdcpp elpa-ace-window elpa-agda2-mode elpa-eglot elpa-elscreen
elpa-find-file-in-project elpa-kotlin-mode elpa-magit-popup elpa-paredit elpa-plz elpa-xcscope elpa-yaml
email-reminder erlang-poolboy erlang-proper-doc fadecut fcitx-table-array30 fcitx-table-jyutping fdpowermon fierce
finit-sysv firm-phoenix-ware flawfinder flit fluster fonts-babelstone-modern fonts-fantasma fonts-joscelyn
fonts-lohit-guru fonts-osifont fonts-sjfonts fonts-tlwg-typist fortunes-bg fortunes-es-off
fusioninventory-agent-task-network gap gcp genius-dev git-build-recipe git-ftp git-restore-mtime gitpkg
gnome-shell-extension-appindicator gnome-shell-extension-pixelsaver gnupod-tools golang-github-igm-sockjs-go-dev
golang-github-miscreant-miscreant.go-dev golang-glog-dev gosa-desktop gosa-plugins-netgroups gourmet gprconfig-kb
grinder grokevt grpc-proto gsalliere gwhois hatop heat-api hsqldb-utils htag html2ps hw-probe hydrapaper
ibus-table-mongol-bichig ibus-table-viqr idzebra-2.0-common ifmail im-config init-system-helpers
initramfs-tools-core itk3-doc jabber-querybot jello jigl journal-brief jupyter-notebook kgb-bot khal krb5-config
lacme lcl-units libandroid-layoutlib-api-java libapache-admin-config-perl libbind-confparser-perl
libcatalyst-view-json-perl libchamplain-doc libchemistry-opensmiles-perl libconfig-scoped-perl
libdatetime-format-human-duration-perl libdist-inkt-perl libeclipse-compare-core-java libequinox-servletbridge-java
libfile-bom-perl libfinal-examples libfko-doc libgeo-gpx-perl libghc-arrows-doc libghc-boring-doc
libghc-cipher-aes-doc libghc-cpphs-doc libghc-diagrams-gtk-doc libghc-equivalence-doc libghc-generic-lens-doc
libghc-half-doc libghc-hslua-marshalling-doc libghc-http-types-doc libghc-jira-wiki-markup-doc
libghc-log-domain-doc libghc-minimorph-doc libghc-nanospec-doc libghc-ordered-containers-doc
libghc-process-extras-doc libghc-regex-compat-doc libghc-semialign-doc libghc-statestack-doc
libghc-tasty-expected-failure-doc libghc-th-lift-instances-doc libghc-unix-time-doc
libghc-wai-middleware-static-doc libghc-xml-types-doc libglobus-gsi-callback-doc libhamlib2-tcl
libheadius-options-java-doc libhtml-gentoc-perl libinline-c-perl libisfreetype-java libjpathwatch-java
libjs-coffeescript libjs-jquery-jush libjs-jquery-ui-theme-trontastic libjs-require-css libjs-xmlextras
libkkc-common liblist-allutils-perl liblog4ada-doc libmarc-transform-perl libmodule-install-copyright-perl
libmousex-getopt-perl libnb-org-openide-modules-java libnet-openid-consumer-perl libnginx-mod-http-ndk-dev
libopenapi-client-perl libopenjpip-viewer libperl4caml-ocaml-doc libperlanet-perl libppix-editortools-perl
libreoffice-zemberek librtf-writer-perl libsdo-api-java libstring-random-perl libtest-cpan-meta-yaml-perl
libtest2-plugin-nowarnings-perl libtinyxml-doc libtravel-routing-de-vrr-perl libvirt-clients-qemu libwagon-ssh-java
libx2go-config-perl libxgboost-predictor-java libyaml-appconfig-perl lieer livescript localslackirc lua-busted
lua-hamlib2 lua-moses lua-wsapi-doc lua-xmlrpc mailcap makedev mariadb-common mate-netbook-common
mate-submodules-source mathlibtools media-types mimefilter minetest-mod-character-creator minetest-mod-moreblocks
minigalaxy mintpy mmm-mode mono-apache-server4 mono-fastcgi-server mopidy mpdris2 msort-gui muttprofile myspell-tl
mythtv-status nagios-plugin-check-multi nautilus-owncloud needrestart neurodebian-desktop neutron-api nginx-full
ngraph-gtk-addin-tex-equation node-bignumber node-connect node-diff node-eslint-utils node-he
node-leaflet.markercluster node-nock node-puka node-scheduler node-traverse node-with nordugrid-arc-nordugridmap
notion-dev nxt-firmware octave-bim octave-financial onionprobe open-infrastructure-system-config
openapi-specification openjpeg-doc openms openvpn-dco-dkms organize pd-pduino pd-puremapping perf-tools-unstable
pescetti pgcli php-codecoverage php-horde-auth php-horde-perms php-illuminate-queue php-net-ldap2
php-symfony-amazon-sns-notifier php-symfony-http-client php-text-captcha php-validate piuparts-slave pnopaste
policycoreutils-dbus policyd-weight pollinate postgresql-15-londiste-sql postgresql-client-common presentty
primesieve prinseq-lite prometheus-pgbouncer-exporter pullimap puppet-module-cloudkitty
puppet-module-michaeltchapman-galera purity-off px pycodestyle python-arrow-doc python-django-analytical-doc
python3-affine python3-aioresponses-doc python3-argh python3-behave python3-cairocffi python3-colcon-cmake
python3-ctdopts python3-distutils-extra python3-django-object-actions python3-dkim python3-emmet-core
python3-flask-migrate python3-geneimpacts python3-genpy python3-gleetex python3-gpapi python3-hcloud
python3-headerparser-doc python3-inputremapper python3-jupyter-core python3-klaus python3-loguru python3-midiutil
python3-murano-pkg-check python3-oauthlib python3-oslo.service python3-pbr python3-pprofile python3-pydle
python3-pynag python3-qinlingclient python3-reclass python3-rply python3-simpletal python3-sphinxcontrib.bibtex
python3-swagger-spec-validator python3-transaction python3-ufoprocessor python3-urwid-satext python3-wheel-whl
python3-xyzservices q2-diversity-lib qflow-tech-osu050 quodlibet qweborf rbenv readline-common recan recode-doc
recoll redmine-mysql relational renrot resolvconf rt5-db-sqlite ruby-aws ruby-chronic ruby-diff-lcs ruby-ffi-rzmq
ruby-graphviz ruby-jaeger-client ruby-mime-types ruby-ntlm ruby-protocol-http2 ruby-regexp-parser
ruby-selenium-webdriver ruby-test-prof ruby-webpacker s-tui sass-stylesheets-compass sauce sbuild-qemu schema2ldif
schroot-common sedsed senlin-api shiki-dust-theme siconos-mechanics-tools simple-whip-server smistrip sms4you-xmpp
spampd speedometer sreview-common sreview-web stardict stda steam-devices storm-lang-presentation
sugar-write-activity sugarjar supercollider-vim swaks swift-proxy synadm t-code tarantool-common tcl-sugar tdiary
themonospot trace2dbest tran trash-cli tryton-modules-account-eu tryton-modules-incoterm
ubuntu-packaging-guide-html-pt-br ucf undertime upgrade-system v4l2loopback-utils vf1 vim-fugitive vim-tlib
virtuoso-server visual-regexp vit voctomix-core wapua wcanadian-small webext-allow-html-temp wsdd x2gobroker
x2goserver-extensions x2gothinclient-displaymanager xfonts-intl-arabic xhtml2ps xnee xorriso-dd-target xpore
yaws-yapp yq`
  .trim()
  .split(/\s+/);
