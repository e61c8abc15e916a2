"""The smallest application of each template language: code leads to its template, and the template to its code."""

from pathlib import Path

import pytest

from code_graph_indexer.storage.sqlite import connect
from tests.indexing.repository import indexed

EDGES = """
select distinct f.path, r.line, g.path, iif(t.kind = 'module', '', t.name) from refs as r
join chunks as s on s.id = r.source_id join files as f on f.id = s.file_id
join chunks as t on t.id = r.target_id join files as g on g.id = t.file_id
where r.kind in ('calls', 'imports', 'reads', 'references')
"""

CART = {
    "java": "package shop;\n\npublic class Cart {\n    public int total() {\n        return 1;\n    }\n}\n",
    "ruby": "class Cart\n  def total\n    1\n  end\nend\n",
}
RAILS = {
    "app/models/cart.rb": CART["ruby"],
    "app/helpers/carts_helper.rb": "module CartsHelper\n  def price_tag(cart)\n    cart\n  end\nend\n",
    "app/controllers/carts_controller.rb": "class CartsController < ApplicationController\n"
    "  def show\n    @cart = Cart.new\n  end\nend\n",
}
SPRING = (
    "package shop;\n\nimport org.springframework.ui.Model;\n\npublic class Carts {\n"
    '    @GetMapping("/carts")\n    public String show(Model model) {\n'
    '        model.addAttribute("cart", new Cart());\n        return "show";\n    }\n}\n'
)
APPLICATIONS = {
    "jinja": (
        {
            "app.py": "from flask import Flask, render_template\n\napp = Flask(__name__)\n\n\n"
            "class Cart:\n    def total(self):\n        return 1\n\n\n@app.route('/carts')\ndef show():\n    cart = Cart()\n"
            "    return render_template('show.html', cart=cart)\n",
            "templates/show.html": "{% include 'row.html' %}\n{{ cart.total() }}\n",
            "templates/row.html": "{% if row %}{% endif %}\n",
        },
        {
            ("app.py", 14, "templates/show.html", ""),
            ("templates/show.html", 1, "templates/row.html", ""),
            ("templates/show.html", 2, "app.py", "total"),
        },
    ),
    "haml": (
        RAILS
        | {
            "app/views/carts/show.html.haml": '%p= price_tag(@cart)\n%p= @cart.total\n= render "row"\n',
            "app/views/carts/_row.html.haml": "%p row\n",
        },
        {
            ("app/controllers/carts_controller.rb", 2, "app/views/carts/show.html.haml", ""),
            ("app/views/carts/show.html.haml", 1, "app/helpers/carts_helper.rb", "price_tag"),
            ("app/views/carts/show.html.haml", 2, "app/models/cart.rb", "total"),
            ("app/views/carts/show.html.haml", 3, "app/views/carts/_row.html.haml", ""),
        },
    ),
    "haml beside a comment, in a script": (
        RAILS
        | {
            "app/views/carts/edit.js.haml": "- if @cart # shown\n"
            "  $('#cart').html('#{ j render(partial: \"edit\") }');\n- else # hidden\n"
            "  == price: #{price_tag(@cart)}\n  %b= price_tag(@cart)\n",
            "app/views/carts/_edit.html.haml": "%p edit\n",
        },
        {
            ("app/views/carts/edit.js.haml", 2, "app/views/carts/_edit.html.haml", ""),
            ("app/views/carts/edit.js.haml", 4, "app/helpers/carts_helper.rb", "price_tag"),
            ("app/views/carts/edit.js.haml", 5, "app/helpers/carts_helper.rb", "price_tag"),
        },
    ),
    "names of classes": (
        {
            "app/models/order.rb": "class Order < ApplicationRecord\n  belongs_to :customer\n  has_many :order_lines\n"
            "end\n",
            "app/serializers/order_row.rb": "class OrderRow\n  def order_lines\n    []\n  end\nend\n",
            "app/models/customer.rb": "class Customer < ApplicationRecord\n  def label\n    1\n  end\nend\n",
            "app/models/client.rb": "class Client\n  def label\n    2\n  end\n\n  class Line\n    def label\n      3\n"
            "    end\n  end\nend\n",
            "app/services/report.rb": "class Report\n  def line(order)\n    order.customer.label\n    line.label\n"
            "    order.order_lines\n  end\nend\n",
            "app/views/orders/show.html.erb": "<% @orders.each do |order| %>\n<%= order.customer.label %>\n<% end %>\n",
        },
        {
            ("app/services/report.rb", 3, "app/models/order.rb", "customer"),
            ("app/services/report.rb", 3, "app/models/customer.rb", "label"),
            ("app/services/report.rb", 5, "app/models/order.rb", "order_lines"),
            ("app/views/orders/show.html.erb", 2, "app/models/order.rb", "customer"),
            ("app/views/orders/show.html.erb", 2, "app/models/customer.rb", "label"),
        },
    ),
    "declared by symbols": (
        {
            "app/models/order.rb": "class Order\n  include Mongoid::Document\n  has_many :lines\n  field :note, type: String\n"
            "  scope :open, -> { where(open: true) }\n  belongs_to :payer, polymorphic: true\nend\n",
            "app/controllers/orders_controller.rb": "class OrdersController < ApplicationController\n"
            "  expose(:order) { Order.find(params[:id]) }\nend\n",
            "app/views/orders/show.html.erb": "<%= order %>\n<% @order = Order.new %>\n<%= @order.lines %>\n"
            "<%= @order.note %>\n<%= @order.payer %>\n<%= Order.open %>\n",
            "app/mailers/mailer.rb": "class Mailer\n  def receipt\n    @sum = 1\n  end\nend\n",
            "app/views/mailer/receipt.text.erb": "<%= @sum %>\n",
        },
        {
            ("app/views/orders/show.html.erb", 1, "app/controllers/orders_controller.rb", "order"),
            ("app/views/orders/show.html.erb", 3, "app/models/order.rb", "lines"),
            ("app/views/orders/show.html.erb", 4, "app/models/order.rb", "note"),
            ("app/views/orders/show.html.erb", 5, "app/models/order.rb", "payer"),
            ("app/views/orders/show.html.erb", 6, "app/models/order.rb", "open"),
            ("app/views/mailer/receipt.text.erb", 1, "app/mailers/mailer.rb", "@sum"),
        },
    ),
    "controllers of rails": (
        {
            "config/routes.rb": "Rails.application.routes.draw do\n  resources 'songs', controller: :tracks\nend\n",
            "app/controllers/application_controller.rb": "class ApplicationController < ActionController::Base\n"
            "  def load\n    @user = 1\n  end\nend\n",
            "app/controllers/tracks_controller.rb": "class TracksController < ApplicationController\n"
            '  helper_method :track\n  def show\n    @track = render_to_string(partial: "tracks/show")\n  end\n'
            "  def track\n    @track\n  end\nend\n",
            "app/controllers/api/v2/tracks_controller.rb": "module Api\n  module V2\n    class TracksController < Base\n"
            "      def show\n        1\n      end\n    end\n  end\nend\n",
            "app/models/track.rb": "class Track\n  def link\n    song_url = nil\n    song_url\n  end\nend\n",
            "app/views/tracks/show.js.erb": "1\n",
            "app/views/tracks/_show.html.erb": "<p>1</p>\n",
            "app/views/tracks/show.html.erb": "<%= track %>\n<%= song_path(1) %>\n",
            "app/views/tracks/players/_big.html.erb": "<%= @track %>\n",
            "app/views/shared/_row.html.erb": "<%= @user %>\n<%= page.total_length %>\n",
            "app/helpers/tracks_helper.rb": "module TracksHelper\n  def total_length(track)\n    track\n  end\nend\n",
            "app/views/gems/new.html.erb": "<%= track %>\n",
            "app/mailers/track_notice.rb": "class TrackNotice < ApplicationMailer\n  def sent\n    @sum = 1\n  end\nend\n",
            "app/views/track_notice/sent.text.erb": "<%= @sum %>\n",
        },
        {
            ("app/views/tracks/show.html.erb", 1, "app/controllers/tracks_controller.rb", "track"),
            ("app/views/tracks/show.html.erb", 2, "app/controllers/tracks_controller.rb", "show"),
            ("config/routes.rb", 2, "app/controllers/tracks_controller.rb", "show"),
            ("app/controllers/tracks_controller.rb", 4, "app/views/tracks/_show.html.erb", ""),
            ("app/views/tracks/players/_big.html.erb", 1, "app/controllers/tracks_controller.rb", "@track"),
            ("app/views/shared/_row.html.erb", 1, "app/controllers/application_controller.rb", "@user"),
            ("app/views/track_notice/sent.text.erb", 1, "app/mailers/track_notice.rb", "@sum"),
        },
    ),
    "constants outside of their module": (
        {
            "config/load.rb": "Shop::LIMIT = Settings.read(limit: 3)\n",
            "config/application.rb": "module Shop\n  class Application\n  end\nend\n",
            "app/views/carts/show.html.erb": "<%= Shop::LIMIT %>\n",
            "app/models/cart.rb": "class Cart\n  def limit\n    Shop::LIMIT.to_i\n  end\nend\n",
        },
        {
            ("app/views/carts/show.html.erb", 1, "config/load.rb", "LIMIT"),
            ("app/models/cart.rb", 3, "config/load.rb", "LIMIT"),
        },
    ),
    "slim": (
        RAILS
        | {
            "app/views/carts/show.html.slim": 'p = price_tag(@cart)\np = @cart.total\n= render "row"\n',
            "app/views/carts/_row.html.slim": "p row\n",
        },
        {
            ("app/controllers/carts_controller.rb", 2, "app/views/carts/show.html.slim", ""),
            ("app/views/carts/show.html.slim", 1, "app/helpers/carts_helper.rb", "price_tag"),
            ("app/views/carts/show.html.slim", 2, "app/models/cart.rb", "total"),
            ("app/views/carts/show.html.slim", 3, "app/views/carts/_row.html.slim", ""),
        },
    ),
    "thymeleaf": (
        {
            "src/main/java/shop/Cart.java": CART["java"],
            "src/main/java/shop/Carts.java": SPRING,
            "src/main/resources/templates/show.html": '<p th:text="${cart.total()}">1</p>\n',
        },
        {
            ("src/main/java/shop/Carts.java", 9, "src/main/resources/templates/show.html", ""),
            ("src/main/resources/templates/show.html", 1, "src/main/java/shop/Cart.java", "total"),
        },
    ),
    "jsp": (
        {
            "src/main/java/shop/Cart.java": CART["java"],
            "src/main/java/shop/Carts.java": "package shop;\n\npublic class Carts extends HttpServlet {\n"
            "    protected void doGet(HttpServletRequest request, HttpServletResponse response) {\n"
            '        request.setAttribute("cart", new Cart());\n'
            '        request.getRequestDispatcher("/WEB-INF/show.jsp").forward(request, response);\n    }\n}\n',
            "src/main/webapp/WEB-INF/show.jsp": "<p>${cart.total()}</p>\n",
        },
        {
            ("src/main/java/shop/Carts.java", 6, "src/main/webapp/WEB-INF/show.jsp", ""),
            ("src/main/webapp/WEB-INF/show.jsp", 1, "src/main/java/shop/Cart.java", "total"),
        },
    ),
    "properties of beans": (
        {
            "src/main/java/shop/Cart.java": CART["java"].replace("total", "getTotal"),
            "src/main/java/shop/Carts.java": SPRING,
            "src/main/resources/templates/show.html": '<p th:text="${cart.total}">1</p>\n',
        },
        {
            ("src/main/java/shop/Carts.java", 9, "src/main/resources/templates/show.html", ""),
            ("src/main/resources/templates/show.html", 1, "src/main/java/shop/Cart.java", "getTotal"),
        },
    ),
    "templ": (
        {
            "go.mod": "module example.com/shop\n",
            "cart.go": "package shop\n\ntype Cart struct{}\n\nfunc (c Cart) Total() int { return 1 }\n\n"
            "func write() {\n\tshow(1, Cart{})\n}\n",
            "show.templ": "package shop\n\ntempl show(count int, cart Cart) {\n\t<p>{ cart.Total() }</p>\n}\n",
        },
        {("cart.go", 8, "show.templ", "show"), ("show.templ", 4, "cart.go", "Total")},
    ),
    "razor": (
        {
            "Shop/Clock.cs": "namespace Shop;\n\npublic interface IClock\n{\n    int Now();\n}\n",
            "Shop/Counter.razor": '@page "/counter"\n@using Shop\n@inject IClock Clock\n<p>@Label()</p>\n<Price />\n'
            '<b @onclick="() => Add(1)">@Clock.Now()</b>\n'
            "@code {\n    private string Label() => string.Empty;\n\n    private void Add(int count)\n    {\n    }\n}\n",
            "Shop/Price.razor": "<b>1</b>\n",
        },
        {
            ("Shop/Counter.razor", 4, "Shop/Counter.razor", "Label"),
            ("Shop/Counter.razor", 5, "Shop/Price.razor", ""),
            ("Shop/Counter.razor", 6, "Shop/Counter.razor", "Add"),
            ("Shop/Counter.razor", 6, "Shop/Clock.cs", "Now"),
        },
    ),
    "go": (
        {
            "go.mod": "module example.com/shop\n",
            "main.go": 'package main\n\nimport "html/template"\n\nfunc money(value int) int { return value }\n\n'
            'var helpers = template.FuncMap{"money": money}\n'
            'var pages = template.Must(template.New("").Funcs(helpers).ParseGlob("templates/*.html"))\n\n'
            'func show(w Writer) {\n\tpages.ExecuteTemplate(w, "show.html", 1)\n}\n',
            "templates/show.html": '{{ template "row.html" . }}\n{{ money . }}\n',
            "templates/row.html": "<p>{{ . }}</p>\n",
        },
        {
            ("main.go", 11, "templates/show.html", ""),
            ("templates/show.html", 1, "templates/row.html", ""),
            ("templates/show.html", 2, "main.go", "money"),
        },
    ),
    "dot of go": (
        {
            "go.mod": "module example.com/shop\n",
            "main.go": 'package main\n\nimport "html/template"\n\ntype Item struct {\n\tPrice int\n}\n\n'
            "type User struct {\n\tPrice int\n}\n\ntype Cart struct {\n\tItems []Item\n\tOwner *User\n}\n\n"
            "func (c Cart) Total() int { return 1 }\n\n"
            'var pages = template.Must(template.New("").ParseGlob("templates/*.html"))\n\n'
            'func show(w Writer) {\n\tpages.ExecuteTemplate(w, "show.html", Cart{})\n}\n',
            "templates/show.html": "{{ .Total }}\n{{ range .Items }}\n{{ .Price }}\n"
            "{{ with $.Owner }}\n{{ .Price }}\n{{ end }}\n"
            '{{ template "row.html" . }}\n{{ end }}\n{{ range $place, $item := .Items }}{{ $item.Price }}{{ end }}\n',
            "templates/row.html": "<p>{{ .Price }}</p>\n",
        },
        {
            ("templates/show.html", 1, "main.go", "Total"),
            ("templates/show.html", 2, "main.go", "Items"),
            ("templates/show.html", 3, "main.go", "Price"),
            ("templates/show.html", 4, "main.go", "Owner"),
            ("templates/show.html", 5, "main.go", "Price"),
            ("templates/show.html", 9, "main.go", "Price"),
            ("templates/row.html", 1, "main.go", "Price"),
        },
    ),
    "angular": (
        {
            "src/cart.component.ts": "import { Component } from '@angular/core';\n\n@Component({\n  selector: 'app-cart',\n"
            "  templateUrl: './cart.component.html',\n})\nexport class CartComponent {\n  total = 1;\n  items: Item[] = [];\n"
            "  save(item: Item): void {}\n}\n\nexport class Item {\n  price = 1;\n}\n",
            "src/money.pipe.ts": "import { Pipe } from '@angular/core';\n\n@Pipe({ name: 'money' })\n"
            "export class MoneyPipe {\n  transform(value: number): number {\n    return value;\n  }\n}\n",
            "src/cart.component.html": '<b [title]="total">{{ total | money }}</b>\n<p *ngFor="let item of items">\n'
            '{{ item.price }}\n<button (click)="save(item)">Save</button>\n</p>\n<app-cart />\n',
        },
        {
            ("src/cart.component.ts", 5, "src/cart.component.html", ""),
            ("src/cart.component.html", 1, "src/cart.component.ts", "total"),
            ("src/cart.component.html", 1, "src/money.pipe.ts", "MoneyPipe"),
            ("src/cart.component.html", 2, "src/cart.component.ts", "items"),
            ("src/cart.component.html", 3, "src/cart.component.ts", "price"),
            ("src/cart.component.html", 4, "src/cart.component.ts", "save"),
            ("src/cart.component.html", 6, "src/cart.component.ts", "CartComponent"),
        },
    ),
    "components of rails": (
        {
            "app/components/row/component.rb": "class Row::Component < BaseComponent\n  def initialize(cart:)\n"
            "    @cart = cart\n  end\n\n  def label\n    @cart\n  end\nend\n",
            "app/components/base_component.rb": "class BaseComponent\n  def form_url\n    1\n  end\nend\n",
            "app/components/cell/component.rb": "class Cell::Component < BaseComponent\n  def label\n    2\n  end\nend\n",
            "app/components/row/component.html.erb": "<%= @cart %>\n<%= label %>\n<%= form_url %>\n",
            "app/components/field/component.rb": "class Field::Component < BaseComponent\n  def self.text_field(form)\n"
            "    form\n  end\nend\n",
            "app/views/carts/show.html.erb": "<%= text_field :cart, :name %>\n",
        },
        {
            ("app/components/row/component.html.erb", 1, "app/components/row/component.rb", "@cart"),
            ("app/components/row/component.html.erb", 2, "app/components/row/component.rb", "label"),
            ("app/components/row/component.html.erb", 3, "app/components/base_component.rb", "form_url"),
        },
    ),
    "engines of rails": (
        {
            "admin/lib/controllers/backend/shop/carts_controller.rb": "class Shop::CartsController < BaseController\n"
            "  def show\n    @cart = 1\n  end\nend\n",
            "admin/lib/views/backend/shop/carts/show.html.erb": "<%= @cart %>\n",
            "api/app/controllers/api/carts_controller.rb": "class Api::CartsController < Base\n  def show\n  end\nend\n",
            "admin/lib/views/backend/shop/carts/_row.html.erb": "<%= price %>\n",
            "admin/lib/views/backend/shop/carts/list.html.erb": "<%= render partial: 'row', locals: {price: 1} %>\n"
            "<%= link_to shop_carts_path, edit_shop_cart_path %>\n",
            "api/app/controllers/api/shop/carts_controller.rb": "class Api::CartsController < Base\n  def index\n  end\nend\n",
            "lib/base_controller.rb": "class BaseController\n  def edit\n  end\nend\n",
            "config/routes.rb": "Rails.application.routes.draw do\n  namespace :shop do\n    resources :carts\n  end\nend\n",
            "lib/helpers.rb": "module Helpers\n  def price\n    1\n  end\nend\n",
        },
        {
            (
                "admin/lib/controllers/backend/shop/carts_controller.rb",
                2,
                "admin/lib/views/backend/shop/carts/show.html.erb",
                "",
            ),
            (
                "admin/lib/views/backend/shop/carts/show.html.erb",
                1,
                "admin/lib/controllers/backend/shop/carts_controller.rb",
                "@cart",
            ),
            ("admin/lib/views/backend/shop/carts/list.html.erb", 2, "lib/base_controller.rb", "edit"),
        },
    ),
    "facades of laravel": (
        {
            "app/Support/Cart.php": "<?php\nnamespace App\\Support;\n\nclass Cart\n{\n"
            "    public function total(): int { return 1; }\n}\n",
            "app/Facades/Cart.php": "<?php\nnamespace App\\Facades;\n\nuse Illuminate\\Support\\Facades\\Facade;\n\n"
            "class Cart extends Facade\n{\n    protected static function getFacadeAccessor(): string\n    {\n"
            "        return 'cart';\n    }\n}\n",
            "app/Providers/ShopProvider.php": "<?php\nnamespace App\\Providers;\n\nuse App\\Support\\Cart;\n\n"
            "class ShopProvider extends ServiceProvider\n{\n    public function register(): void\n    {\n"
            "        $this->app->bind('cart', static fn (): Cart => new Cart());\n    }\n}\n",
            "app/show.php": "<?php\nuse App\\Facades\\Cart;\n\nfunction show()\n{\n    return Cart::total();\n}\n",
            "config/app.php": "<?php\nuse App\\Facades\\Cart;\n\nreturn ['aliases' => ['Cart' => Cart::class]];\n",
            "resources/views/show.twig": "{{ Cart.total() }}\n{{ 1|money }}\n{{ route('shop.login') }}\n",
            "app/Twig/Money.php": "<?php\nnamespace App\\Twig;\n\nclass Money extends AbstractExtension\n{\n"
            "    public function getFilters(): array\n    {\n"
            "        return [new TwigFilter('money', static fn (int $cents) => $cents)];\n    }\n}\n",
            "app/Http/Auth/PageController.php": "<?php\nnamespace App\\Http\\Auth;\n\nclass PageController\n{\n"
            "    public function show() {}\n}\n",
            "app/Http/Shop/PageController.php": "<?php\nnamespace App\\Http\\Shop;\n\nclass PageController\n{\n"
            "    public function show() {}\n}\n",
            "routes/web.php": "<?php\nRoute::group(['namespace' => 'App\\Http', 'as' => 'shop.'], static function (): void {\n"
            "    Route::get('login', ['uses' => 'Auth\\PageController@show', 'as' => 'login']);\n});\n",
        },
        {
            ("app/show.php", 6, "app/Support/Cart.php", "total"),
            ("routes/web.php", 3, "app/Http/Auth/PageController.php", "show"),
            ("resources/views/show.twig", 1, "app/Support/Cart.php", "total"),
            ("resources/views/show.twig", 2, "app/Twig/Money.php", "getFilters"),
            ("resources/views/show.twig", 3, "app/Http/Auth/PageController.php", "show"),
        },
    ),
    "templates of laravel": (
        {
            "app/View/Components/CartRow.php": "<?php\nnamespace App\\View\\Components;\n\nclass CartRow extends Component\n"
            "{\n}\n",
            "resources/views/components/cart-row.blade.php": "<b>1</b>\n",
            "resources/views/show.blade.php": "<x-cart-row />\n<a :href=\"'{{ route('carts') }}/' + cart.id\">1</a>\n",
            "app/CartController.php": "<?php\nnamespace App;\n\nclass CartController\n{\n    public function index() {}\n}\n",
            "routes/web.php": "<?php\nRoute::get('carts', [App\\CartController::class, 'index'])->name('carts');\n",
        },
        {
            ("resources/views/show.blade.php", 1, "app/View/Components/CartRow.php", "CartRow"),
            ("resources/views/show.blade.php", 2, "app/CartController.php", "index"),
            ("resources/views/show.blade.php", 1, "resources/views/components/cart-row.blade.php", ""),
        },
    ),
    "tags of django": (
        {
            "shop/templatetags/shop.py": "from django import template\n\nregister = template.Library()\n\n\n"
            "@register.inclusion_tag('row.html')\ndef cart_row(cart):\n    return {'cart': cart}\n",
            "shop/models.py": "class Cart:\n    def owner_card(self):\n        return self\n",
            "templates/row.html": "{% if cart %}{% endif %}\n",
            "templates/show.html": "{% load shop %}\n{% cart_row cart %}\n{{ cart.owner_card.title }}\n",
        },
        {
            ("templates/show.html", 2, "shop/templatetags/shop.py", "cart_row"),
            ("templates/show.html", 3, "shop/models.py", "owner_card"),
        },
    ),
}


@pytest.mark.parametrize("name", APPLICATIONS)
def test_code_leads_to_its_template_and_the_template_to_its_code(name: str, tmp_path: Path) -> None:
    files, edges = APPLICATIONS[name]
    root = indexed(tmp_path, files)
    assert edges - set(connect(root / "index.db").execute(EDGES)) == set()


WRONG = {
    "engines of rails": {
        ("api/app/controllers/api/carts_controller.rb", "admin/lib/views/backend/shop/carts/show.html.erb")
    }
    | {("admin/lib/views/backend/shop/carts/_row.html.erb", "lib/helpers.rb")}
    | {("admin/lib/views/backend/shop/carts/list.html.erb", "api/app/controllers/api/shop/carts_controller.rb")},
    "components of rails": {("app/views/carts/show.html.erb", "app/components/field/component.rb")},
    "controllers of rails": {
        ("app/views/gems/new.html.erb", "app/controllers/tracks_controller.rb"),
        ("app/models/track.rb", "app/controllers/tracks_controller.rb"),
        ("config/routes.rb", "app/controllers/api/v2/tracks_controller.rb"),
        ("app/views/shared/_row.html.erb", "app/helpers/tracks_helper.rb"),
    },
    "names of classes": {
        ("app/services/report.rb", "app/models/client.rb"),
        ("app/services/report.rb", "app/serializers/order_row.rb"),
    },
    "tags of django": {("shop/dates.py", "templates/datetime.html")},
}
"""Pairs of files that no edge leads from and to."""


@pytest.mark.parametrize("name", WRONG)
def test_names_that_are_alike_lead_to_no_template(name: str, tmp_path: Path) -> None:
    files = APPLICATIONS[name][0] | {
        "shop/dates.py": "import datetime\n",
        "templates/datetime.html": "{% if day %}{% endif %}\n",
    }
    root = indexed(tmp_path, files)
    pairs = {(path, target) for path, _, target, _ in connect(root / "index.db").execute(EDGES)}
    assert WRONG[name] & pairs == set()
